import type {Diagnosis, Oracle} from './oracle.ts';
import {onlyMerged} from './surplus.ts';

/** The trees around a merge that is clean to git. */
export type MergedTrees = {
	readonly base: string;
	readonly a: string;
	readonly b: string;
	readonly merged: string;
};

/**
Returns what a checker finds wrong with a merged tree and with none of those that it was made from.

The sides are asked only if the merged tree has an error that the base lacks, since mostly it has none.
*/
export const consult = async (
	oracle: Oracle,
	trees: MergedTrees,
	signal: AbortSignal,
): Promise<readonly Diagnosis[]> => {
	const check = (tree: string) => oracle.check(tree, signal);
	const base = await check(trees.base);
	const merged = await check(trees.merged);
	if (onlyMerged({base, a: base, b: base, merged}).length === 0) {
		return [];
	}

	const a = await check(trees.a);
	return onlyMerged({base, a, b: await check(trees.b), merged});
};
