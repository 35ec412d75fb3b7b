import {copyIndex, copyKeptIndex, keepIndex} from '../../index/copy-index.ts';
import {withTemporaryIndex} from '../../index/temporary-index.ts';
import {sealed, type WorktreeLocation} from '../../process/sealed.ts';
import type {Store} from '../../store/store.ts';
import {withWorktree} from '../open-worktree.ts';
import {withNewObjects} from './new-objects.ts';
import {seedIndex} from './snapshot.ts';
import {type StagedTree, stageTree, treeOnly} from './stage-tree.ts';

export type WorktreeParts = {
	/** The agent's worktree. */
	readonly tree: string;
	/** The index that its snapshots keep. */
	readonly index: string;
	/** Commit that stands in for an index that isn't there, or isn't ours any more. */
	readonly seed: string;
};

/**
Returns the tree that a worktree amounts to at this moment, without pinning it.

Two equal trees mean that nothing changed, which is all that a watcher wants to know most of the time.
*/
export const worktreeTree = (store: Store, {tree, index, seed}: WorktreeParts): Promise<string> =>
	withTemporaryIndex(store, async temporary => {
		if (!(await copyKeptIndex(index, temporary))) {
			const use = (workTree: string) => seedIndex({...store, workTree, index: temporary}, seed);
			await withWorktree(tree, use);
			// The next look must not have to read each file again.
			const copy = `${temporary}.kept`;
			await copyIndex(temporary, copy);
			await keepIndex(copy, index);
		}

		return look(store, {tree, index: temporary}, treeOnly);
	});

/**
Returns that tree together with what lies in the worktree and no tree can hold, apart from ignored files.

Each file is read: an index that was kept may have been told to pass over some, by whoever can write where it lies.
*/
export const wholeWorktree = (
	store: Store,
	{tree, seed}: Omit<WorktreeParts, 'index'>,
): Promise<StagedTree> =>
	withTemporaryIndex(store, async index => {
		await sealed({...store, index}, ['read-tree', seed]);
		return look(store, {tree, index}, location => stageTree(location, async () => undefined));
	});

const look = <Result>(
	store: Store,
	{tree, index}: Pick<WorktreeParts, 'tree' | 'index'>,
	stage: (location: WorktreeLocation) => Promise<Result>,
): Promise<Result> =>
	withNewObjects(
		store,
		location => withWorktree(tree, workTree => stage({...location, workTree, index})),
		async staged => staged,
	);
