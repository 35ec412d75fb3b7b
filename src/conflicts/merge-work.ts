import {type MergeResult, mergeCommits} from '../git/merge/merge-tree.ts';
import {commitTree, type Store} from '../git/store/store.ts';

/** Work to merge: what a commit changes on its base. */
export type Work = {readonly base: string; readonly commit: string};

/**
Merges work onto a commit, measured against the base that the work itself stands on.

Left to itself git would look for a common ancestor. But what lies between that and the base is not this work's: it is what others did whom it builds on, who may have been taken out of the merge since, or a history that the person has rewritten. So git is given a history in which the base is the ancestor of both sides.
*/
export const mergeWork = async (
	store: Store,
	onto: string,
	{base, commit}: Work,
	at: string,
): Promise<MergeResult> => {
	const alike = (original: string, parents: readonly string[]): Promise<string> =>
		commitTree(store, {tree: `${original}^{tree}`, parents, message: 'For a merge', at});
	const ancestor = await alike(base, []);
	const [ours, theirs] = [await alike(onto, [ancestor]), await alike(commit, [ancestor])];
	return mergeCommits(store, ours, theirs);
};
