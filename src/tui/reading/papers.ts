import {asFailure} from '../../lib/failure.ts';
import type {Paper} from '../model.ts';

/** Asks the supervisor for something, and returns its answer. */
export type Ask = (request: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** What was asked of the supervisor to show. */
export type Papers = {
	/** Fetches what of these is not there; what failed is tried again once it is wanted anew. */
	readonly want: (keys: readonly string[]) => void;
	readonly all: () => Readonly<Record<string, Paper>>;
};

/** Most lines of one diff that are fetched. */
const maximumLines = 20_000;

/** A paper is known by what it shows and the commit it shows: `AGT-001@<commit>`, `result@<commit>`. */
export const paperKey = (what: string, commit: string): string => `${what}@${commit}`;

export const createPapers = (ask: Ask, onChange: () => void): Papers => {
	const papers = new Map<string, Paper>();
	let wanted: readonly string[] = [];
	const set = (key: string, paper: Paper): void => {
		papers.set(key, paper);
		onChange();
	};

	const load = (key: string): void => {
		set(key, {phase: 'loading'});
		fetchLines(ask, key.slice(0, key.lastIndexOf('@'))).then(
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

const fetchLines = async (ask: Ask, what: string): Promise<Paper> => {
	const lines: string[] = [];
	let total = 0;
	for (let offset: number | null = 0; offset !== null && offset < maximumLines; ) {
		const page = pageIn(await ask({do: 'show', what, offset, limit: 1000}));
		lines.push(...page.lines);
		total = page.total;
		offset = page.next;
	}

	return {phase: 'ready', lines, total};
};

type Page = {
	readonly lines: readonly string[];
	readonly total: number;
	readonly next: number | null;
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
		return {lines: value.lines.map(String), total, next};
	}

	return {lines: [], total: 0, next: null};
};
