import {counted} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {type Definition, type Informs, noLine} from '../definition.ts';
import {readFields, required, schemaOf} from '../fields/fields.ts';
import {text} from '../fields/kinds.ts';
import {isPlaceholder, OnlyExample, placeholder, Unreadable} from '../fields/unreadable.ts';
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
	read: (value, line) => {
		const [, phase = '', status = ''] = PARTS.exec(value) ?? [];
		if (phase === '' || status === '') {
			throw new Unreadable('PROGRESS takes "Phase - Status".');
		}

		if (TEMPLATE.test(value)) {
			throw new OnlyExample('PROGRESS is not filled in.');
		}

		return {kind: 'progress', line, phase, status, ...ratioOf(status)};
	},
	print: ({phase, status}) => ({value: `${phase} - ${status}`}),
	told: ({phase, status}) => `progress: ${phase} - ${status}`,
});

/** The progress signal; a tool call has its two parts as fields, in which a line end would end the line. */
export const progress: Definition<Progress, Informs> = {
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

/** Matches a count between word boundaries: `src/1/2` and `2026/01/11` are none. */
const COUNT = /(?<![\w./-])(\d{1,9}) ?(?:\/|of) ?(\d{1,9})(?![\w/-]|\.\d)/;

const ratioOf = (status: string): {readonly done: number; readonly total: number} | undefined => {
	const [, done, total] = (COUNT.exec(status) ?? []).map(Number);
	return done !== undefined && total !== undefined && total > 0 && done <= total
		? {done, total}
		: undefined;
};

type PhaseCheckpoint = {
	readonly kind: 'phase_checkpoint';
	readonly line: number;
	readonly phase: string;
	/** Number of artifacts that the phase made. */
	readonly artifacts?: number;
	readonly status?: string;
};

export const phaseCheckpoint = defineLine<PhaseCheckpoint>({
	kind: 'phase_checkpoint',
	marker: 'CHECKPOINT',
	help: 'Say that a phase of your work is done; you go on.',
	value: `${placeholder('phase')} complete`,
	fields: {
		phase: 'the phase that is done',
		artifacts: 'how many files it made',
		status: 'what came out of it',
	},
	followers: {Artifacts: 'artifacts', Status: 'status'},
	bullet: '- ',
	examples: [
		`CHECKPOINT: Research complete
- Artifacts: 3
- Status: Two reports and a table
`,
		'CHECKPOINT: Planning complete\n',
	],
	nearMiss: 'CHECKPOINT: saved to /tmp/checkpoint.json\n',
	read: (value, line, below) => {
		const [, phase = ''] = /^(\S(?:.*\S)?) completed?[.!]?$/i.exec(value) ?? [];
		if (phase === '') {
			throw new Unreadable('CHECKPOINT takes "Phase complete".');
		}

		if (isPlaceholder(phase)) {
			throw new OnlyExample('CHECKPOINT is not filled in.');
		}

		const said = defined({artifacts: countOf(below('Artifacts')), status: below('Status')});
		return {kind: 'phase_checkpoint', line, phase, ...said};
	},
	print: ({phase, artifacts, status}) => ({
		value: `${phase} complete`,
		below: {Artifacts: artifacts, Status: status},
	}),
	told: ({phase, artifacts, status}) =>
		`finished ${phase}${artifacts === undefined ? '' : `, ${counted(artifacts, 'artifact')}`}${status ? `: ${status}` : ''}`,
});

const countOf = (words: string | undefined): number | undefined => {
	if (words === undefined) {
		return undefined;
	}

	const [, digits] = /^(\d{1,15})(?: |$)/.exec(words) ?? [];
	if (digits === undefined) {
		throw new Unreadable('Artifacts takes a number.');
	}

	return Number(digits);
};
