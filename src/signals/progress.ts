import {defineLine} from './line-signal.ts';
import {placeholder} from './placeholder.ts';
import {OnlyExample, Unreadable} from './unreadable.ts';

type Progress = {
	readonly kind: 'progress';
	readonly line: number;
	readonly phase: string;
	readonly status: string;
	/** Both or neither: `15/30` in the status. */
	readonly done?: number;
	readonly total?: number;
};

export const progress = defineLine<Progress>({
	kind: 'progress',
	marker: 'PROGRESS',
	help: 'Say what you are at; a count such as 15/30 becomes a bar.',
	value: placeholder('Phase - Status'),
	fields: {phase: 'the phase you are in', status: 'what you do, with a count if there is one'},
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
