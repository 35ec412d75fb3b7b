import {asFailure} from '../../lib/failure.ts';
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
		const page = pageIn(await ask({do: 'show', what, offset, limit: 1000}));
		lines.push(...page.lines);
		total = page.total;
		cut += page.cut;
		remark ??= page.remark;
		preview ??= page.preview;
		offset = page.next;
	}

	return {
		phase: 'ready',
		lines,
		total,
		...(cut === 0 ? {} : {cut}),
		...(remark === undefined ? {} : {remark}),
		...(preview === undefined ? {} : {preview}),
	};
};

type Page = {
	readonly lines: readonly string[];
	readonly total: number;
	readonly next: number | null;
	readonly cut: number;
	readonly remark?: string;
	readonly preview?: {readonly words: readonly string[]; readonly told: object};
};

/** An older or newer supervisor may answer in another shape; then there is nothing to show. */
const pageIn = (value: unknown): Page => {
	if (
		typeof value === 'object' &&
		value !== null &&
		'lines' in value &&
		Array.isArray(value.lines)
	) {
		const next = 'next' in value && typeof value.next === 'number' ? value.next : null;
		const total = 'total' in value && typeof value.total === 'number' ? value.total : 0;
		const cut = 'cut' in value && typeof value.cut === 'number' ? value.cut : 0;
		const remark = 'remark' in value && typeof value.remark === 'string' ? value.remark : undefined;
		const lines = value.lines.map(String);
		const preview = 'preview' in value ? previewIn(value.preview) : undefined;
		return {
			...{lines, total, next, cut},
			...(remark === undefined ? {} : {remark}),
			...(preview === undefined ? {} : {preview}),
		};
	}

	return {lines: [], total: 0, next: null, cut: 0};
};

const previewIn = (value: unknown): Page['preview'] =>
	typeof value === 'object' && value !== null && 'words' in value && Array.isArray(value.words)
		? {words: value.words.map(String), told: value}
		: undefined;
