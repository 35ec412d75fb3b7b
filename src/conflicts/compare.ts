import type {UnreadFile} from '../events/unread.ts';
import {commonBase} from '../git/merge/common-base.ts';
import {type MergeResult, type MergeSettings, mergeCommits} from '../git/merge/merge-tree.ts';
import type {Store} from '../git/store/store.ts';
import {changes} from '../git/tree/changes.ts';
import type {Comparison, Side} from './detector.ts';
import {detectors} from './detectors.ts';
import type {Finding} from './finding.ts';
import {unreadOf} from './linking/linking.ts';
import {mergeWork} from './merge-work.ts';
import type {ConfirmOptions, Oracles} from './oracle/open-oracles.ts';
import {overlapOf} from './overlap.ts';

/** What is to be merged with what. */
export type Pair = {
	readonly a: string;
	readonly b: string;
	/** What both sides are measured against; git looks for their common ancestor where it is absent. */
	readonly base?: string;
	/** The tree that a person made of both, where it is not git that merges them. */
	readonly made?: string;
};

export type CompareOptions = {
	/** Aborts when nobody wants the answer any more. */
	readonly signal: AbortSignal;
	/** What git goes by in the repository that is read, where that is not ours. */
	readonly settings?: MergeSettings;
	/** Type checkers, which have the last word on what breaks together; without them nobody is asked. */
	readonly oracles?: Oracles;
} & ConfirmOptions;

export type Compared = {
	readonly base: string;
	readonly merge: MergeResult;
	/** How many files each side changes. */
	readonly changed: {readonly a: number; readonly b: number};
	/** Paths that both sides changed. */
	readonly overlap: readonly string[];
	/** Blocking ones first, then by path. */
	readonly findings: readonly Finding[];
	/** What only git looked at: rules about names could not read it. */
	readonly unread: readonly UnreadFile[];
	/** All that was looked at, for checkers that are asked later. */
	readonly comparison: Comparison;
};

/**
Returns what git makes of merging two commits, and all that collides or may collide in it.

Git's verdict is never contradicted: the paths that it can't merge are exactly those of rule F1. Nothing but objects is written, and all of them into the store.

@throws `Failure` of kind `refused` when the two have no common ancestor, and the signal's reason once it is aborted.
*/
export const compare = async (
	store: Store,
	pair: Pair,
	{signal, settings, oracles, ...asking}: CompareOptions,
): Promise<Compared> => {
	const [merge, base] = await Promise.all([
		pair.made === undefined
			? mergeOf(store, pair, settings)
			: ({clean: true, tree: pair.made} as const),
		pair.base ?? commonBase(store, pair.a, pair.b),
	]);
	signal.throwIfAborted();
	const side = async (commit: string): Promise<Side> => ({
		commit,
		changes: await changes(store, base, commit),
	});
	const [a, b] = await Promise.all([side(pair.a), side(pair.b)]);
	const merged = merge.clean ? merge.tree : undefined;
	const comparison = {store, base, a, b, merge, merged, signal};
	const compared = {
		base,
		merge,
		changed: {a: a.changes.length, b: b.changes.length},
		overlap: overlapOf(a, b),
		findings: inOrder(await find(comparison)),
		unread: await unreadOf(comparison),
		comparison,
	};
	return oracles === undefined
		? compared
		: {...compared, findings: await confirmedBy(oracles, compared, {signal, ...asking})};
};

/**
Returns what is found once type checkers have had the last word on what was found without them.

@throws the signal's reason once it is aborted.
*/
export const confirmedBy = async (
	oracles: Oracles,
	{comparison, findings}: Pick<Compared, 'comparison' | 'findings'>,
	{signal, ...asking}: ConfirmOptions & {readonly signal: AbortSignal},
): Promise<readonly Finding[]> =>
	inOrder(await oracles.confirm({...comparison, signal}, findings, asking));

const mergeOf = (
	store: Store,
	{a, b, base}: Pair,
	settings: MergeSettings | undefined,
): Promise<MergeResult> =>
	base === undefined
		? mergeCommits(store, a, b, settings)
		: mergeWork(store, a, {base, commit: b}, dateOfMerge);

/** Any date will do, but the same each time: then the same pair gives the same objects. */
const dateOfMerge = '2000-01-01T00:00:00Z';

const find = async (comparison: Comparison): Promise<readonly Finding[]> => {
	const found: Finding[] = [];
	for (const detector of Object.values(detectors).flat()) {
		comparison.signal.throwIfAborted();
		found.push(...(await detector(comparison)));
	}

	return found;
};

const inOrder = (findings: readonly Finding[]): readonly Finding[] => {
	const rank = ({blocking, path, key}: Finding) => `${blocking ? 0 : 1} ${path} ${key}`;
	return findings.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
};
