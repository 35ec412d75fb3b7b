import {defined} from '../../lib/defined.ts';
import {isPlaceholder, placeholder} from '../fields/placeholder.ts';
import {OnlyExample, Unreadable} from '../fields/unreadable.ts';
import {defineLine} from '../line-signal.ts';

type PhaseCheckpoint = {
	readonly kind: 'phase_checkpoint';
	readonly line: number;
	readonly phase: string;
	/** How many artifacts the phase made. */
	readonly artifacts?: number;
	readonly status?: string;
};

export const phaseCheckpoint = defineLine<PhaseCheckpoint>({
	kind: 'phase_checkpoint',
	marker: 'CHECKPOINT',
	meaning: {kind: 'informs'},
	help: 'Say that a phase of your work is done; you go on.',
	value: `${placeholder('phase')} complete`,
	fields: {
		phase: 'the phase that is done',
		artifacts: 'how many files it made',
		status: 'what came out of it',
	},
	followers: {Artifacts: 'artifacts', Status: 'status'},
	examples: [
		`CHECKPOINT: Research complete
- Artifacts: 3
- Status: Two reports and a table
`,
		'CHECKPOINT: Planning complete\n',
	],
	nearMiss: 'CHECKPOINT: saved to /tmp/checkpoint.json\n',
	read: ({value, below}, line) => {
		const [, phase = ''] = /^(\S(?:.*\S)?) completed?[.!]?$/i.exec(value) ?? [];
		if (phase === '') {
			throw new Unreadable('CHECKPOINT takes "Phase complete".');
		}

		if (isPlaceholder(phase)) {
			throw new OnlyExample('CHECKPOINT is not filled in.');
		}

		const artifacts = countOf(below.get('Artifacts'));
		const status = below.get('Status');
		return {
			kind: 'phase_checkpoint',
			line,
			phase,
			...defined({artifacts, status: status || undefined}),
		};
	},
	print: ({phase, artifacts, status}) => ({
		value: `${phase} complete`,
		below: new Map([
			...(artifacts === undefined ? [] : [['Artifacts', String(artifacts)] as const]),
			...(status === undefined ? [] : [['Status', status] as const]),
		]),
	}),
});

const countOf = (words: string | undefined): number | undefined => {
	if (!words) {
		return undefined;
	}

	const [, digits] = /^(\d{1,15})(?: |$)/.exec(words) ?? [];
	if (digits === undefined) {
		throw new Unreadable('Artifacts takes a number.');
	}

	return Number(digits);
};
