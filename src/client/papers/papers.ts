import {type Page, page} from '../../control/page.ts';
import {defined} from '../../lib/defined.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import type {Paper} from '../model.ts';

/** Asks the supervisor for something, and returns its answer. */
export type Ask = (request: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** Asks for a page of what can be shown; `Ask` will do. */
export type AskForPage = (request: {
	readonly do: 'show';
	readonly what: string;
	readonly offset: number;
	readonly limit: number;
}) => Promise<unknown>;

/** What was asked of the supervisor to show. */
export type Papers = {
	/** Fetches what of these is not there; what failed is tried again once it is wanted anew. */
	readonly want: (keys: readonly string[]) => void;
	readonly all: () => Readonly<Record<string, Paper>>;
};

/** Most lines of one diff that are fetched. */
const maximumLines = 20_000;

/**
A paper is known by what it shows and by which state of it: `AGT-001@<commit>`, `result@<commit>`.

What `show` can show has no @ in its name; what it is the state of may be told in any words.
*/
export const paperKey = (what: string, state: string): string => `${what}@${state}`;

/** Keeps papers; `fetch` gets each of them as it is when it is wanted, or throws a `Failure` that says why it can't. */
export const createPapers = (
	fetch: (what: string) => Promise<Paper>,
	onChange: () => void,
): Papers => {
	const papers = new Map<string, Paper>();
	let wanted: readonly string[] = [];
	const set = (key: string, paper: Paper): void => {
		papers.set(key, paper);
		onChange();
	};

	const load = (key: string): void => {
		set(key, {phase: 'loading'});
		fetch(key.slice(0, key.indexOf('@'))).then(
			paper => set(key, paper),
			(error: unknown) => set(key, {phase: 'failed', why: asFailure(error).message}),
		);
	};

	return {
		want: keys => {
			const missing = keys.filter(
				key => !papers.has(key) || (papers.get(key)?.phase === 'failed' && !wanted.includes(key)),
			);
			wanted = keys;
			missing.forEach(load);
		},
		all: () => Object.fromEntries(papers),
	};
};

/** Asks for all pages of something that can be shown. */
export const fetchPaper = async (ask: AskForPage, what: string): Promise<Paper> => {
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
	}

	return {
		phase: 'ready',
		lines,
		total,
		...(cut === 0 ? {} : {cut}),
		...defined({remark, preview}),
	};
};

/** A supervisor of another version may answer in another shape. */
const pageIn = (value: unknown): Page => {
	const read = page.safeParse(value);
	if (!read.success) {
		throw new Failure('refused', 'The supervisor answered in a way that this version can’t read.', {
			hint: 'it is of another version: restart whichever of the two is the older one',
		});
	}

	return read.data;
};
