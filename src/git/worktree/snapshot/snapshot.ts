import {rm} from 'node:fs/promises';
import {isSame} from '../../../lib/values.ts';
import {
	copyKeptIndex,
	type KeptIndex,
	keepCopy,
	keepIndex,
	offerEntries,
	withTemporaryIndex,
} from '../../index-entries.ts';
import {type GitLocation, sealed} from '../../process/sealed.ts';
import {copyBorrowed, copyBorrowedChanges} from '../../store/copy-borrowed.ts';
import {commitTree, pin, readRef, type Store} from '../../store/store.ts';
import {lookUp} from '../../tree/blobs.ts';
import {treeOfCommit} from '../../tree/commit.ts';
import {submoduleMode} from '../../tree/entry.ts';
import {entriesOf} from '../../tree/listing.ts';
import {withWorktree} from '../open-worktree.ts';
import {type BeyondCone, leaveOut} from '../sparse.ts';
import {
	emptyBlob,
	type StagedTree,
	type StagingLocation,
	stageTree,
	treeOnly,
} from './stage-tree.ts';

export type SnapshotParts = {
	/** The agent's worktree; its `.git` is neither read nor trusted. */
	readonly tree: string;
	/** The supervisor's index of this worktree, kept between snapshots to make them fast. */
	readonly index: string;
	/** The snapshot's parent, which seeds an index that is absent or broken. */
	readonly parents: readonly [string];
	/** Ref of the store that holds the snapshot. */
	readonly ref: string;
	readonly message: string;
	/** Time of the snapshot, ISO 8601. */
	readonly at: string;
	/** True to refresh the stat data of the kept index, which reads each file that only looks changed. */
	readonly isThorough?: boolean;
	/** Part outside of a sparse worktree. */
	readonly leftOut?: BeyondCone | undefined;
};

export type TakenSnapshot = Omit<StagedTree, 'raw' | 'converted'> & {readonly commit: string};

/**
Commits the whole content of an agent's worktree to the store, and pins the commit with a ref.

An existing ref wins: it is this snapshot, taken before a crash kept it out of the journal. The caller takes one snapshot of a worktree at a time.

@throws `Failure` of kind `refused` when the worktree is no folder any more.
*/
export const takeSnapshot = (store: Store, parts: SnapshotParts): Promise<TakenSnapshot> =>
	withTemporaryIndex(store, async index => {
		const {isIndexKept, isAnythingStaged, isOutside, ...staged} = await withWorktree(
			parts.tree,
			workTree => stage({...store, workTree, index, leftOut: parts.leftOut}, parts),
		);
		const [commit] = await Promise.all([
			commitTrees(store, parts, staged),
			// The objects of a kept index were copied by the snapshot that wrote it.
			isAnythingStaged || !isIndexKept
				? copyBorrowedChanges(store, parts.parents[0], staged.tree)
				: undefined,
		]);
		const pinned = await pinOrFind(store, parts.ref, commit);
		if (parts.isThorough) {
			await refresh({...store, index}, parts.tree);
		}

		await keepIndex(index, parts.index, {
			// A refreshed index may contain files that were written after they were read.
			converted: parts.isThorough ? undefined : staged.converted,
			leftOut: isOutside ? undefined : parts.leftOut,
		});
		const tree = pinned === commit ? staged.tree : await treeOfCommit(store, pinned);
		return {commit: pinned, tree, skipped: staged.skipped};
	});

/** Commits a tree; the unconverted bytes of files that git converted are the snapshot's second parent. */
const commitTrees = async (
	store: Store,
	{parents, message, at}: SnapshotParts,
	{tree, raw}: StagedTree,
): Promise<string> => {
	if (raw === undefined) {
		return commitTree(store, {tree, parents, message, at});
	}

	await copyBorrowed(store, {of: [raw], beyond: [tree]});
	const bytes = await commitTree(store, {tree: raw, parents: [], message: `${message}: bytes`, at});
	return commitTree(store, {tree, parents: [...parents, bytes], message, at});
};

/**
Stages the worktree in a copy of the kept index, or in one made from the first parent.

The kept index is only a cache. If it isn't ours any more, or git can't read it, it is replaced by the parent's, never by an empty one: files outside a sparse checkout would count as deleted.
*/
const stage = async (location: StagingLocation, {index, parents: [parent]}: SnapshotParts) => {
	const known = await copyKeptIndex(index, location.index);
	if (known !== undefined) {
		try {
			await enterLeftOut(location, known);
			return {...(await stageTree(location, index, known.converted)), isIndexKept: true};
		} catch {
			await rm(location.index, {force: true});
			await rm(`${location.index}.lock`, {force: true});
		}
	}

	await seedIndex(location, parent);
	return {...(await stageTree(location, index)), isIndexKept: false};
};

/** Fills an index with a commit, and refreshes it, which reads each file of the worktree. */
const seedIndex = async (location: StagingLocation, commit: string): Promise<void> => {
	await sealed(location, ['read-tree', commit]);
	await enterLeftOut(location, {});
	await forgetLost(location, commit);
	await sealed(location, ['update-index', '-q', '--refresh']);
};

/** Adds the part outside of a sparse worktree to its index unless that contains it; returns whether it did. */
const enterLeftOut = async (location: StagingLocation, {leftOut}: KeptIndex): Promise<boolean> => {
	const isMissing = location.leftOut !== undefined && !isSame(location.leftOut, leftOut);
	await (isMissing && leaveOut(location, location.leftOut));
	return isMissing;
};

/** Replaces the ids of index entries whose blob is missing, so that git reads the file again: it trusts the id of an unchanged file. */
const forgetLost = async (location: GitLocation, tree: string): Promise<void> => {
	const files = [...(await entriesOf(location, tree))].filter(
		([, {mode}]) => mode !== submoduleMode,
	);
	const found = await lookUp(
		location,
		files.map(([, {oid}]) => oid),
	);
	const lost = files.filter((_, position) => found[position] === undefined);
	if (lost.length > 0) {
		const oid = await emptyBlob(location);
		await offerEntries(
			location,
			lost.map(([path, {mode}]) => [path, {mode, oid}]),
		);
	}
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

/** Refreshes an index; ignores a failure, since the index is only a cache. */
const refresh = async (location: GitLocation, tree: string): Promise<void> => {
	const args = ['update-index', '-q', '--refresh'];
	await withWorktree(tree, workTree =>
		sealed({...location, workTree}, args, {expect: 'any'}),
	).catch(() => undefined);
};

export type WorktreeParts = {
	/** The agent's worktree. */
	readonly tree: string;
	/** Kept index of its snapshots. */
	readonly index: string;
	/** Commit that seeds an index that is absent or isn't ours any more. */
	readonly seed: string;
	/** Part outside of a sparse worktree. */
	readonly leftOut?: BeyondCone | undefined;
};

/** Writes the current content of a worktree as a tree, without pinning it; an equal tree means that nothing changed. */
export const worktreeTree = (
	store: Store,
	{tree, index, seed, leftOut}: WorktreeParts,
): Promise<string> =>
	withTemporaryIndex(store, async temporary => {
		const known = await copyKeptIndex(index, temporary);
		return withWorktree(tree, async workTree => {
			const location = {...store, workTree, index: temporary, leftOut};
			if (known === undefined) {
				await seedIndex(location, seed);
			}

			// Keep it, so that the next call needn't read each file, or list what lies outside, again.
			if (known === undefined || (await enterLeftOut(location, known))) {
				await keepCopy(temporary, index, {converted: known?.converted, leftOut});
			}

			return treeOnly(location, index);
		});
	});

/**
Returns the tree of a worktree, and the content that no tree can contain, except ignored files.

It reads each file: a process that can write the kept index may have told it to skip some.
*/
export const wholeWorktree = (
	store: Store,
	{tree, seed, leftOut}: Omit<WorktreeParts, 'index'>,
): Promise<StagedTree> =>
	withTemporaryIndex(store, async index => {
		await sealed({...store, index}, ['read-tree', seed]);
		return withWorktree(tree, async workTree => {
			const location = {...store, workTree, index, leftOut};
			await enterLeftOut(location, {});
			return stageTree(location);
		});
	});
