import {rm} from 'node:fs/promises';
import {copyKeptIndex, keepIndex} from '../../index/copy-index.ts';
import {withTemporaryIndex} from '../../index/temporary-index.ts';
import {type GitLocation, sealed, type WorktreeLocation} from '../../process/sealed.ts';
import {copyBorrowed, copyBorrowedChanges} from '../../store/copy-borrowed.ts';
import {pin, readRef, type Store} from '../../store/store.ts';
import {treeOfCommit} from '../../tree/commit.ts';
import {withWorktree} from '../open-worktree.ts';
import {forgetLost} from './forget-lost.ts';
import {withNewObjects} from './new-objects.ts';
import type {NewObjectsLocation} from './new-objects-folder.ts';
import {type StagedTree, stageTree, type Trees} from './stage-tree.ts';
import {writeCommit} from './write-commit.ts';

export type SnapshotParts = {
	/** The agent's worktree; its `.git` is neither read nor trusted. */
	readonly tree: string;
	/** Where the supervisor keeps its index of this worktree, which makes the next snapshot fast. */
	readonly index: string;
	/** The snapshot's parent, which seeds an index that is absent or broken. */
	readonly parents: readonly [string];
	/** Ref of the store that holds the snapshot. */
	readonly ref: string;
	readonly message: string;
	/** Time of the snapshot, ISO 8601. */
	readonly at: string;
	/** Whether the index is to learn, too, which files only look changed; it takes one more look at each, so now and then is enough. */
	readonly isThorough?: boolean;
};

export type Snapshot = StagedTree & {readonly commit: string};

/**
Writes all that an agent's worktree holds into a commit of the store, pinned by a ref.

A ref that is there already wins: it is this snapshot, taken before a crash that kept it from being told. One snapshot of a worktree at a time; that is the caller's duty.

@throws `Failure` of kind `refused` when the worktree is not a folder any more.
*/
export const takeSnapshot = (store: Store, parts: SnapshotParts): Promise<Snapshot> =>
	withTemporaryIndex(store, async index => {
		const use = async (location: NewObjectsLocation) => {
			const keep = async (trees: Trees, isIndexKept: boolean): Promise<string> => {
				const [commit] = await Promise.all([
					commitTrees(location, parts, trees),
					takeOverTrees(location, parts, {...trees, isIndexKept}),
				]);
				return commit;
			};
			return withWorktree(parts.tree, workTree =>
				stage({...location, workTree, index}, parts, keep),
			);
		};
		return withNewObjects(store, use, async ({kept: commit, tree, skipped}) => {
			const [pinned] = await Promise.all([
				pinOrFind(store, parts.ref, commit),
				parts.isThorough ? refresh({...store, index}, parts.tree) : undefined,
			]);
			await keepIndex(index, parts.index);
			return pinned === commit
				? {commit, tree, skipped}
				: {commit: pinned, tree: await treeOfCommit(store, pinned), skipped};
		});
	});

/** What git converted is kept as it was in a commit beside, the snapshot's second parent. */
const commitTrees = async (
	location: NewObjectsLocation,
	{parents, message, at}: SnapshotParts,
	{tree, raw}: Trees,
): Promise<string> => {
	const beside =
		raw === undefined
			? []
			: [await writeCommit(location, {tree: raw, parents: [], message: `${message}: bytes`, at})];
	return writeCommit(location, {tree, parents: [...parents, ...beside], message, at});
};

/**
What of it the store would only borrow is taken over, so that a snapshot can be read for as long as it is pinned.

What a kept index held already was taken over by the snapshot that left it.
*/
const takeOverTrees = async (
	location: GitLocation,
	{parents}: SnapshotParts,
	{tree, raw, isAnythingStaged, isIndexKept}: Trees & {readonly isIndexKept: boolean},
): Promise<void> => {
	if (isAnythingStaged || !isIndexKept) {
		await copyBorrowedChanges(location, parents[0], tree);
	}

	if (raw !== undefined) {
		await copyBorrowed(location, {of: [raw], beyond: [tree]});
	}
};

/**
Stages the worktree in a copy of the kept index, or in a new one.

The kept index is only a cache of what the files were like. When it isn't ours any more or git can't work with it, it is recreated from the first parent, never from nothing: files outside a sparse checkout would count as deleted. What that parent borrowed may be gone; while the worktree has such a file, it is written again.
*/
const stage = async <Kept>(
	location: WorktreeLocation & {readonly index: string},
	parts: SnapshotParts,
	keep: (trees: Trees, isIndexKept: boolean) => Promise<Kept>,
): Promise<StagedTree & {readonly kept: Kept}> => {
	if (await copyKeptIndex(parts.index, location.index)) {
		try {
			return await stageTree(location, trees => keep(trees, true));
		} catch {
			await rm(location.index, {force: true});
			await rm(`${location.index}.lock`, {force: true});
		}
	}

	await seedIndex(location, parts.parents[0]);
	return stageTree(location, trees => keep(trees, false));
};

/** Makes an index of a commit that knows which files of a worktree are like that: each of them is read. */
export const seedIndex = async (location: WorktreeLocation, commit: string): Promise<void> => {
	await sealed(location, ['read-tree', commit]);
	await forgetLost(location, commit);
	await sealed(location, ['update-index', '-q', '--refresh']);
};

const pinOrFind = async (store: Store, ref: string, commit: string): Promise<string> => {
	try {
		await pin(store, {ref, oid: commit});
		return commit;
	} catch (error) {
		const pinned = await readRef(store, ref);
		if (pinned === undefined) {
			throw error;
		}

		return pinned;
	}
};

/**
Lets an index learn which files only look changed, so that each git to use it need not read them again.

It is only a cache: whatever hinders this costs time later, and nothing else.
*/
const refresh = async (location: GitLocation, tree: string): Promise<void> => {
	const args = ['update-index', '-q', '--refresh'];
	await withWorktree(tree, workTree =>
		sealed({...location, workTree}, args, {expect: 'any'}),
	).catch(() => undefined);
};
