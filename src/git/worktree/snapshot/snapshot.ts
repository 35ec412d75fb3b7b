import {createHash, randomUUID} from 'node:crypto';
import {mkdir, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {deflateSync} from 'node:zlib';
import {copyIndex, copyKeptIndex, keepIndex, withTemporaryIndex} from '../../index-entries.ts';
import {
	type GitLocation,
	sealed,
	supervisorIdentity,
	type WorktreeLocation,
} from '../../process/sealed.ts';
import {copyBorrowed, copyBorrowedChanges} from '../../store/copy-borrowed.ts';
import {type CommitParts, gitTime, pin, readRef, type Store} from '../../store/store.ts';
import {treeOfCommit} from '../../tree/commit.ts';
import {withWorktree} from '../open-worktree.ts';
import {forgetLost, type NewObjectsLocation, storeFailure, withNewObjects} from './new-objects.ts';
import {type StagedTree, stageTree, type Trees, treeOnly} from './stage-tree.ts';

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
const seedIndex = async (location: WorktreeLocation, commit: string): Promise<void> => {
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

/**
Writes a commit of the supervisor's among new objects, and returns its id; byte for byte what `git commit-tree` would write.

No git is started for it, since each start costs a snapshot a tenth of its time. Nor is it asked whether it agrees: the message is text of ours, the time a time, and no parent is given twice.

@throws `Failure` that names the cause when it can't be written.
*/
export const writeCommit = async (
	{newObjects}: NewObjectsLocation,
	{tree, parents, message, at}: Omit<CommitParts, 'identity'>,
): Promise<string> => {
	const {name, email} = supervisorIdentity;
	const who = `${name} <${email}> ${gitTime(at)}`;
	const content = [
		`tree ${tree}`,
		...parents.map(parent => `parent ${parent}`),
		`author ${who}`,
		`committer ${who}`,
		'',
		message,
	].join('\n');
	return writeObject(newObjects, 'commit', Buffer.from(content), tree.length);
};

/** A loose object is its kind, its length and its content, compressed, below the hash of all that. */
const writeObject = async (
	folder: string,
	kind: string,
	content: Buffer,
	idLength: number,
): Promise<string> => {
	const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
	const id = createHash(idLength === 40 ? 'sha1' : 'sha256')
		.update(bytes)
		.digest('hex');
	const fanOut = join(folder, id.slice(0, 2));
	// Half of it must not have its name, which is that of a whole one.
	const making = join(fanOut, `tmp_obj_${randomUUID()}`);
	try {
		await mkdir(fanOut, {recursive: true});
		await writeFile(making, deflateSync(bytes), {mode: 0o444});
		await rename(making, join(fanOut, id.slice(2)));
		return id;
	} catch (error) {
		throw storeFailure(error);
	}
};

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
