import {onlyMerged} from './merged-only.ts';
import type {Checked, Diagnosis, Oracle} from './oracle.ts';

/** The trees around a merge that is clean to git. */
export type MergedTrees = {
	readonly base: string;
	readonly a: string;
	readonly b: string;
	/** Further works that are in there. */
	readonly beside?: readonly string[];
	readonly merged: string;
};

/** What a checker says of a merge. */
export type Consulted = Pick<Checked, 'errors' | 'covered'> & {
	/** What was wrong before, which is charged to nobody. */
	readonly red: readonly Diagnosis[];
	/** Whether packages were missing, so that `red` is only what is certain. */
	readonly lacksPackages: boolean;
};

/**
Returns what a checker finds wrong with a merged tree and with none of those that it was made from; what it covers is the merged tree's.

The sides are asked only if the merged tree has an error that the base lacks, since mostly it has none.
*/
export const consult = async (
	oracle: Oracle,
	trees: MergedTrees,
	signal: AbortSignal,
): Promise<Consulted> => {
	const {errors: base, own} = await oracle.check(trees.base, signal);
	const before = {red: own ?? base, lacksPackages: own !== undefined};
	const errorsOf = async (tree: string) => (await oracle.check(tree, signal)).errors;
	const {errors: merged, covered} = await oracle.check(trees.merged, signal);
	if (onlyMerged({base, a: base, b: base, merged}).length === 0) {
		return {errors: [], covered, ...before};
	}

	const [a, b] = [await errorsOf(trees.a), await errorsOf(trees.b)];
	const beside: (readonly Diagnosis[])[] = [];
	for (const tree of trees.beside ?? []) {
		beside.push(await errorsOf(tree));
	}

	return {errors: onlyMerged({base, a, b, beside, merged}), covered, ...before};
};
