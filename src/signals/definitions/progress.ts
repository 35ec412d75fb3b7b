import {type Definition, noLine} from '../definition.ts';
import {readFields, required, schemaOf} from '../fields/fields.ts';
import {text} from '../fields/kinds.ts';
import {placeholder} from '../fields/placeholder.ts';
import {OnlyExample, Unreadable} from '../fields/unreadable.ts';
import {defineLine} from '../line-signal.ts';
import {readToolFields} from '../tool.ts';

type Progress = {
	readonly kind: 'progress';
	readonly line: number;
	readonly phase: string;
	readonly status: string;
	/** Both or neither: `15/30` in the status. */
	readonly done?: number;
	readonly total?: number;
};

const FIELDS = {
	phase: required(text, 'the phase you are in'),
	status: required(text, 'what you do, with a count if there is one'),
};

const printed = defineLine<Progress>({
	kind: 'progress',
	marker: 'PROGRESS',
	meaning: {kind: 'informs'},
	help: 'Say what you are at; a count such as 15/30 becomes a bar.',
	value: placeholder('Phase - Status'),
	fields: {phase: FIELDS.phase.meaning, status: FIELDS.status.meaning},
	examples: [
		'PROGRESS: Research - Starting codebase analysis\n',
		'PROGRESS: Research - Analyzed 15/30 files\n',
		'PROGRESS: Research - Completing external research\n',
		'PROGRESS: Research - Creating report\n',
	],
	nearMiss: 'PROGRESS: halfway\n',
	read: ({value}, line) => {
		const [, phase = '', status = ''] = PARTS.exec(value) ?? [];
		if (phase === '' || status === '') {
			throw new Unreadable('PROGRESS takes "Phase - Status".');
		}

		if (TEMPLATE.test(value)) {
			throw new OnlyExample('PROGRESS is not filled in.');
		}

		return {kind: 'progress', line, phase, status, ...ratioOf(status)};
	},
	print: ({phase, status}) => ({value: `${phase} - ${status}`, below: new Map()}),
});

/** A call says the two parts for themselves; a line end in them would end the line. */
export const progress: Definition<Progress> = {
	...printed,
	tool: {
		name: 'progress',
		help: printed.help,
		schema: schemaOf(FIELDS),
		read: given => {
			const {phase, status} = readFields(FIELDS, readToolFields(given));
			const value = [phase, status].map(part => part.replaceAll(/\s+/g, ' ').trim()).join(' - ');
			return printed.read(value, noLine);
		},
	},
};

const PARTS = /^(\S(?:.*?\S)?) +[-–—] +(\S.*)$/;
const TEMPLATE = /^‹[^‹›]*[›>] +[-–—] +‹[^‹›]*[›>]$/;

/** A count stands by itself: `src/1/2` and `2026/01/11` are none. */
const COUNT = /(?<![\w./-])(\d{1,9}) ?(?:\/|of) ?(\d{1,9})(?![\w/-]|\.\d)/;

const ratioOf = (status: string): {readonly done: number; readonly total: number} | undefined => {
	const [, done, total] = (COUNT.exec(status) ?? []).map(Number);
	return done !== undefined && total !== undefined && total > 0 && done <= total
		? {done, total}
		: undefined;
};
