import {subjectText} from '../../control/caller.ts';
import {type Page, page} from '../../control/socket.ts';
import type {Subject} from '../../control/subject.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import type {Resource} from '../model.ts';

export type AskForPage = (request: {
	readonly do: 'show';
	readonly what: Subject;
	readonly offset: number;
	readonly limit: number;
}) => Promise<unknown>;

/** Pages requested from the supervisor. */
type Resources = {
	/** Fetches missing resources; a failed one is fetched again when it is wanted again. */
	readonly want: (keys: readonly ResourceKey[]) => void;
	readonly all: () => Readonly<Record<string, Resource>>;
};

/** Maximum number of lines of a text; the diff of a work is shorter, since the supervisor leaves long files out. */
const maximumLines = 200_000;

/** Key of a resource: its subject, and a text that identifies the subject's state. */
export type ResourceKey = {readonly what: Subject; readonly state: string};

/** Returns the text form of a key: `AGT-001@<commit>`, `result@<commit>`. */
export const keyText = ({what, state}: ResourceKey): string => `${subjectText(what)}@${state}`;

/** Called with the number of lines of a resource that have arrived, after each page but the last. */
type ReportLines = (fetched: number, total: number) => void;

/** Caches resources; `fetch` gets the current one when it is wanted, or throws a `Failure` with the reason. */
export const createResources = (
	fetch: (what: Subject, report: ReportLines) => Promise<Resource>,
	onChange: () => void,
): Resources => {
	const resources = new Map<string, Resource>();
	let wanted: ReadonlySet<string> = new Set();
	const set = (key: string, resource: Resource): void => {
		resources.set(key, resource);
		onChange();
	};

	const load = (resourceKey: ResourceKey): void => {
		const key = keyText(resourceKey);
		set(key, {phase: 'loading'});
		const report: ReportLines = (fetched, total) => set(key, {phase: 'loading', fetched, total});
		fetch(resourceKey.what, report).then(
			resource => set(key, resource),
			(error: unknown) => set(key, {phase: 'failed', why: asFailure(error).message}),
		);
	};

	return {
		want: keys => {
			const byName = new Map(keys.map(key => [keyText(key), key]));
			const missing = [...byName].filter(
				([name]) =>
					!resources.has(name) || (resources.get(name)?.phase === 'failed' && !wanted.has(name)),
			);
			wanted = new Set(byName.keys());
			for (const [, key] of missing) {
				load(key);
			}
		},
		all: () => Object.fromEntries(resources),
	};
};

/** Requests all pages of a subject. */
export const fetchResource = async (
	ask: AskForPage,
	what: Subject,
	report: ReportLines = () => {},
): Promise<Extract<Resource, {phase: 'ready'}>> => {
	const lines: string[] = [];
	let total = 0;
	let cut = 0;
	let remark: string | undefined;
	let preview: Page['preview'];
	for (let offset: number | null = 0; offset !== null && offset < maximumLines; ) {
		const answered = pageIn(await ask({do: 'show', what, offset, limit: 1000}));
		lines.push(...answered.lines);
		total = answered.total;
		cut += answered.cut;
		remark ??= answered.remark;
		preview ??= answered.preview;
		offset = answered.next;
		if (offset !== null) {
			report(lines.length, total);
		}
	}

	return {
		phase: 'ready',
		lines,
		total,
		...(cut === 0 ? {} : {cut}),
		...defined({remark, preview}),
	};
};

/** Parses a page; a supervisor of another version may answer in another form. */
const pageIn = (value: unknown): Page => {
	const read = page.safeParse(value);
	if (!read.success) {
		throw new Failure('refused', 'The supervisor answered in a way that this version can’t read.', {
			hint: 'it is another version: restart the older of the two',
		});
	}

	return read.data;
};
