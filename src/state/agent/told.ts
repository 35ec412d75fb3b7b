import type {Signal} from '../../signals/index.ts';
import {markersOf} from '../../signals/markers-of.ts';

/** A signal of one kind. */
type Said<Kind extends Signal['kind']> = Extract<Signal, {kind: Kind}>;

/** What an agent told of its work on the way; of what can be said without end, the last are kept. */
export type Told = {
	readonly phase?: string;
	/** How it says its work stands, in a PROGRESS or a STATUS. */
	readonly status?: string;
	readonly title?: string;
	readonly summary?: Said<'summary'>;
	readonly created: readonly string[];
	readonly counts: readonly number[];
	/** Phases that it said are done. */
	readonly phases: readonly Said<'phase_checkpoint'>[];
	readonly errors: readonly Said<'error'>[];
	readonly findings: readonly Said<'finding'>[];
	/** Results as tables, and as JSON. */
	readonly results: readonly Said<'result'>[];
	/** The last checkpoint that it reported. */
	readonly checkpoint?: Said<'checkpoint'>;
	/** Paths that it named at its checkpoints, each once. */
	readonly files: readonly string[];
	/** Markers of everything that it has said, each once. */
	readonly markers: readonly string[];
};

export const nothingTold: Told = {
	created: [],
	counts: [],
	phases: [],
	errors: [],
	findings: [],
	results: [],
	files: [],
	markers: [],
};

/** Returns what an agent has told, with one signal more. */
export const withTold = (told: Told, signal: Signal): Told => ({
	...kept(told, signal),
	markers: [...new Set([...told.markers, ...markersOf(signal)])],
});

const kept = (told: Told, signal: Signal): Told => {
	switch (signal.kind) {
		case 'progress':
			return {...told, phase: signal.phase, status: signal.status};
		case 'title':
		case 'status':
			return {...told, [signal.kind]: signal.value} satisfies Told;
		case 'summary':
			return {...told, summary: signal};
		case 'count':
			return {...told, counts: more(told.counts, signal.value)};
		case 'created':
			return {...told, created: more(told.created, signal.value)};
		case 'phase_checkpoint':
			return {...told, phases: more(told.phases, signal)};
		case 'error':
			return {...told, errors: more(told.errors, signal)};
		case 'finding':
			return {...told, findings: more(told.findings, signal)};
		case 'result':
			return {...told, results: more(told.results, signal)};
		case 'checkpoint': {
			const files = signal.changes.map(({file}) => file);
			return {...told, checkpoint: signal, files: [...new Set([...told.files, ...files])]};
		}

		default:
			return told;
	}
};

/** So many of what an agent says again and again are looked at by nobody. */
const mostKept = 200;

const more = <One>(known: readonly One[], one: One): readonly One[] =>
	[...known, one].slice(-mostKept);
