import type {WorkStatus} from '../../events/reply.ts';
import {defined, isSame, omit} from '../../lib/values.ts';
import type {Signal} from '../../signals/index.ts';
import {markersOf} from '../../signals/meaning.ts';

type Said<Kind extends Signal['kind']> = Extract<Signal, {kind: Kind}>;

/** Progress reports of an agent; of repeated ones, the last are kept. */
export type Updates = {
	readonly phase?: string;
	/** Status of its work, from a PROGRESS or a STATUS. */
	readonly status?: string;
	readonly title?: string;
	readonly summary?: Said<'summary'>;
	readonly created: readonly string[];
	readonly counts: readonly number[];
	/** Phases that it reported as done. */
	readonly phases: readonly Said<'phase_checkpoint'>[];
	readonly errors: readonly Said<'error'>[];
	readonly findings: readonly Said<'finding'>[];
	/** Results as tables, and as JSON. */
	readonly results: readonly Said<'result'>[];
	readonly checkpoint?: Said<'checkpoint'>;
	/** Paths that it named at its checkpoints, without duplicates. */
	readonly files: readonly string[];
	/** Markers in all its reports, without duplicates. */
	readonly markers: readonly string[];
};

export const noUpdates: Updates = {
	created: [],
	counts: [],
	phases: [],
	errors: [],
	findings: [],
	results: [],
	files: [],
	markers: [],
};

/** Adds a signal to an agent's reports. */
export const withUpdate = (updates: Updates, signal: Signal): Updates => ({
	...kept(updates, signal),
	markers: [...new Set([...updates.markers, ...markersOf(signal)])],
});

const kept = (updates: Updates, signal: Signal): Updates => {
	switch (signal.kind) {
		case 'progress':
			return {...updates, phase: signal.phase, status: signal.status};
		case 'title':
		case 'status':
			return {...updates, [signal.kind]: signal.value} satisfies Updates;
		case 'summary':
			return {...updates, summary: signal};
		case 'count':
			return {...updates, counts: [...new Set(more(updates.counts, signal.value))]};
		case 'created':
			return {...updates, created: [...new Set(more(updates.created, signal.value))]};
		case 'phase_checkpoint':
			return {...updates, phases: more(updates.phases, signal)};
		case 'error':
			return {...updates, errors: more(updates.errors, signal)};
		case 'finding':
			return {...updates, findings: more(updates.findings, signal)};
		case 'result':
			return {
				...updates,
				results: more(
					updates.results.filter(said => !isSame(omit(said, 'line'), omit(signal, 'line'))),
					signal,
				),
			};
		case 'checkpoint': {
			const files = signal.changes.map(({file}) => file);
			return {...updates, checkpoint: signal, files: [...new Set([...updates.files, ...files])]};
		}

		default:
			return updates;
	}
};

/** Parts of a standard response in this turn: whether it names a file or a summary, and the form of its last completion status. */
export type Response = {
	readonly names: boolean;
	readonly complete?: ResponseForm;
};

type ResponseForm = 'STATUS: complete' | 'a JSON result';

/** Adds a signal to a response; the last completion status counts. */
export const withResponse = (response: Response | undefined, signal: Signal): Response => {
	const {names, ...before} = response ?? {names: false};
	switch (signal.kind) {
		case 'created':
		case 'summary':
			return {...before, names: true};
		case 'status':
			return {names, ...(isComplete(signal.value) ? {complete: 'STATUS: complete'} : {})};
		case 'result':
			// A table has no status of the whole work.
			if (!('status' in signal)) {
				return {names, ...before};
			}

			return {names, ...(isComplete(signal.status) ? {complete: 'a JSON result'} : {})};
		default:
			return {names, ...before};
	}
};

/** Returns the form in which an agent reported completion in its turn; a bare `STATUS: complete` may be about anything. */
export const respondedBy = (response: Response | undefined): ResponseForm | undefined =>
	response?.complete === 'STATUS: complete' && !response.names ? undefined : response?.complete;

const isComplete = (status: unknown): boolean =>
	typeof status === 'string' && /^(?:complete|success)\W*$/i.test(status.trim());

/** Maximum number of repeated reports. */
const mostKept = 200;

const more = <One>(known: readonly One[], one: One): readonly One[] =>
	[...known, one].slice(-mostKept);

type StopWork = Extract<Signal, {kind: 'stop_work'}>;

/** Returns an agent's state when it stopped its work, from its `state_snapshot`: names with values, or text. */
export const workStatusOf = ({state_snapshot: snapshot}: StopWork): WorkStatus => {
	if (typeof snapshot === 'object' && snapshot !== null && !Array.isArray(snapshot)) {
		return namedIn(Object.entries(snapshot));
	}

	const text = wordsOf(snapshot);
	const status = namedIn(linesOf(text));
	return Object.keys(status).length > 0 || text === '' ? status : {completed: text};
};

type Named = readonly (readonly [name: string, value: unknown])[];

/** Finds fields by part of their names, since these vary: `completed`, `Completed tasks`, `next_task`. */
const namedIn = (named: Named): WorkStatus => {
	const find = (word: string): unknown =>
		named.find(([name]) => name.toLowerCase().includes(word))?.[1];
	const files = find('file');
	return defined({
		completed: wordsOf(find('complete')) || undefined,
		files: files === undefined ? undefined : listOf(files),
		next: wordsOf(find('next')) || undefined,
	});
};

const linesOf = (text: string): Named =>
	text.split('\n').flatMap(line => {
		const [, name, value] = /^[^a-z]*([a-z][a-z _]{0,30}):\s*(\S.*)$/i.exec(line) ?? [];
		return name === undefined || value === undefined ? [] : [[name, value] as const];
	});

const listOf = (value: unknown): readonly string[] =>
	Array.isArray(value)
		? value.map(wordsOf)
		: unwrapped(wordsOf(value))
				.split(',')
				.map(word => word.trim())
				.filter(word => word !== '');

const wordsOf = (value: unknown): string => {
	if (value === undefined || value === null) {
		return '';
	}

	if (Array.isArray(value)) {
		return value.map(wordsOf).join(', ');
	}

	return typeof value === 'string' ? unwrapped(value.trim()) : JSON.stringify(value);
};

const unwrapped = (text: string): string => /^\[([^\][]*)\]$/.exec(text)?.[1] ?? text;
