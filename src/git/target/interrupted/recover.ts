import {lstat, readFile, realpath, rename, rm, rmdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {asFailure, Failure} from '../../../lib/failure.ts';
import {ifThere} from '../../../lib/files/reading.ts';
import {type Obstacle, waitForGits} from '../../process/at-work.ts';
import {type Patience, withPatience} from '../../process/patience.ts';
import {type GitResult, gitsWords, joinNul, lineOf} from '../../process/result.ts';
import {sealed} from '../../process/sealed.ts';
import {user} from '../../process/user.ts';
import {type Checkout, checkoutAt, worktrees} from '../../repository/checkouts.ts';
import {type Repository, refOf, resolveCommit} from '../../repository/repository.ts';
import {bringObjects, type Store} from '../../store/store.ts';
import {type Change, changes, newOf} from '../../tree/changes.ts';
import {isAncestor} from '../../tree/commit.ts';
import {diskPath, foldersAbove} from '../../tree/disk-path.ts';
import {type Entry, isSameEntry} from '../../tree/entry.ts';
import {
	type BegunMove,
	copyIndexOf,
	endMove,
	folderOf,
	givingUp,
	holdIndex,
	letIndexGo,
	readBegunMove,
} from '../begun-move.ts';
import {fileCount, heldIndex} from '../obstacles.ts';
import {
	findMoveProgress,
	type Indexing,
	isSince,
	type MoveProgress,
	readIndex,
} from './find-move-progress.ts';

/** Reverts an interrupted move; returns the obstacle, if there is one. */
export const takeBackMove = (
	repository: Repository,
	{store, patience = {}}: {readonly store: Store; readonly patience?: Patience},
): Promise<Obstacle | undefined> =>
	withPatience(patience, () => recover(repository, store, 'killed'));

/** How the move's git ended: if it failed, it has removed its own locks, so existing ones belong to another git. */
type Ended = 'killed' | 'failed';

/**
Reverts an unfinished move, unless its branch has arrived; returns the obstacle, if there is one.

The branch moves last, after everything else. So either the branch has arrived and only the event is missing, or this restores the state before, and the caller repeats the move if it is still owed:

```
            ╭────────── the index is held, so no command of the person's comes between ─────────╮
 intended ──┴─▶ file, file, file … ──look──▶ index ─────────▶ branch ────────────────────────────┴──▶ published
          │               │                    │                │
   killed ▼               ▼                    ▼                ▼
        before          half                 after           arrived
      nothing is     files go back       a copy of the     only the event
      to be done     by the index       index goes back,    is missing
                                       files by it, then it
```

Files are reverted only if each of them is known to be as before, as after, or in between; otherwise nothing is touched, and the obstacle names them. A failing filter, for example, is an obstacle as well. A kill during the recovery leaves one of the same states. The index lock is always released, so that the person can remove the obstacle.
*/
export const recover = async (
	repository: Repository,
	store: Store,
	git: Ended,
): Promise<Obstacle | undefined> => {
	try {
		const move = await readBegunMove(repository);
		return move && (await recoverMove(repository, store, move, git));
	} catch (error) {
		const {message, hint = 'Put that right, then try again.'} = asFailure(error);
		return {
			cause: 'interrupted',
			message: `A move was cut off, and its leftovers can’t be cleaned up yet: ${message}`,
			hint: `${hint} Or see git status, and when your files are as you want them: ${await givingUp(repository)}`,
		};
	}
};

const recoverMove = async (
	repository: Repository,
	store: Store,
	move: BegunMove,
	git: Ended,
): Promise<Obstacle | undefined> => {
	const checkout = move.gitDir && (await findCheckout(repository, move.gitDir));
	if (checkout === 'gone') {
		return goneObstacle(repository, move);
	}

	// A git that outlived its supervisor must not be interrupted while it writes.
	const folder = folderOf(repository);
	const ours = [move.to, folder, join(folder, 'index')];
	const busy =
		(await waitForGits([checkout ? checkout.root : repository.root], ours)) ??
		(git === 'killed' ? await removeStaleLocks(repository, move) : undefined);
	const left = busy ?? (checkout ? await bringBack(repository, store, checkout, move) : undefined);
	if (left === undefined) {
		await endMove(repository, checkout || undefined);
	}

	return left;
};

const bringBack = async (
	repository: Repository,
	store: Store,
	checkout: Checkout,
	move: BegunMove,
): Promise<Obstacle | undefined> => {
	if (!(await holdIndex(checkout))) {
		return heldIndex(checkout);
	}

	try {
		const brought = await bringObjects(repository, store, move.to);
		if (brought.code !== 0 && (await resolveCommit(checkout, move.to)) === undefined) {
			return await withoutObjects(checkout, brought);
		}

		const head = await resolveCommit(checkout, 'HEAD');
		return head !== undefined && (await hasArrived(store, move, head))
			? undefined
			: await bringFilesBack(store, checkout, {...move, head}, folderOf(repository));
	} finally {
		await letIndexGo(checkout);
	}
};

/** Returns whether HEAD came after the move's goal; all commits to which an undo leads, or which it passes, came before it. */
const hasArrived = async (store: Store, {from, to}: BegunMove, head: string): Promise<boolean> =>
	(await isAncestor(store, to, head)) &&
	!(await isAncestor(store, head, from)) &&
	!((await isAncestor(store, to, from)) && (await isAncestor(store, from, head)));

type Standing = BegunMove & {
	/** HEAD's commit; `undefined` before the first commit. */
	readonly head: string | undefined;
};

/** Restores the files with a copy of the index, which replaces the index afterwards. */
const bringFilesBack = async (
	store: Store,
	checkout: Checkout,
	move: Standing,
	folder: string,
): Promise<Obstacle | undefined> => {
	const {root, gitDir} = checkout;
	const indexing = {root, index: join(folder, 'index')};
	await rm(`${indexing.index}.lock`, {force: true});
	await copyIndexOf(checkout, indexing.index);
	const {ours, theirs} = await partsOf(store, indexing, move);
	const parts = {changed: ours, since: move.since};
	const found = await findMoveProgress(store, indexing, parts);
	if (found.kind === 'after') {
		await unstage(indexing, move, theirs);
	}

	const progress = found.kind === 'after' ? await findMoveProgress(store, indexing, parts) : found;
	if (progress.kind === 'foreign') {
		return foreign(root, progress.paths);
	}

	if (progress.kind === 'half') {
		await restore(indexing, progress);
	}

	if (found.kind !== 'before') {
		await user(root, ['update-index', '-q', '--refresh'], {index: indexing.index, expect: 'any'});
		await rename(indexing.index, join(gitDir, 'index'));
	}

	return undefined;
};

/** Restores files from the index. The overwritten content is in a commit: the move was writing it. */
const restore = async (
	{root, index}: Indexing,
	{restore, remove}: Extract<MoveProgress, {kind: 'half'}>,
): Promise<undefined> => {
	for (const path of remove) {
		await unlink(diskPath(root, path));
		await removeEmptyFolders(root, path);
	}

	if (restore.length > 0) {
		// With `--index`, or git would take a file whose line endings it has made right for an edit.
		await user(root, ['checkout-index', '--index', '--force', '--quiet', '-z', '--stdin'], {
			index,
			input: joinNul(restore),
		});
	}
};

const removeEmptyFolders = async (root: string, path: string): Promise<void> => {
	for (const folder of foldersAbove(path).toReversed()) {
		try {
			await rmdir(diskPath(root, folder));
		} catch {
			return;
		}
	}
};

/** Returns the obstacle for a missing checkout, whose disk may come back. */
const goneObstacle = ({commonDir}: Repository, {gitDir = '.'}: BegunMove): Obstacle => ({
	cause: 'interrupted',
	message: `A move was cut off, and the checkout of ${join(commonDir, gitDir)} isn’t where it was.`,
	hint:
		gitDir === '.'
			? 'Try again from there.'
			: 'Bring it back, or if you moved it: git worktree repair PATH; if it is gone for good: git worktree prune. Then try again.',
});

/** Throws unless nothing differs: without the move's objects its files can't be distinguished from the person's. */
const withoutObjects = async ({root}: Checkout, brought: GitResult): Promise<undefined> => {
	const status = ['--no-optional-locks', 'status', '--porcelain', '--untracked-files=normal'];
	if ((await user(root, status)).stdout.length > 0) {
		throw new Failure(
			'refused',
			`the commit that it was to merge is gone (${gitsWords(brought)}).`,
		);
	}
};

const foreign = (root: string, paths: readonly string[]): Obstacle => ({
	cause: 'interrupted',
	message: `The last try was cut off in the middle, and since then ${fileCount(paths)} in ${root} changed in another way.`,
	hint: 'Save what you need of them elsewhere, then restore each with git checkout HEAD -- FILE, or if HEAD has no such file, remove it with git rm --cached FILE or move it away. Then try again.',
	paths,
});

/** A path that the person has committed or reset since, with the move's entry and the current one. */
type Theirs = {
	readonly path: string;
	readonly moved: Entry | undefined;
	readonly now: Entry | undefined;
};

export type Parts = {readonly ours: readonly Change[]; readonly theirs: readonly Theirs[]};

/** Separates the move's own changes from the person's: if HEAD has changed since and agrees with the index, the person has committed, reset or switched. */
const partsOf = async (
	store: Store,
	indexing: Indexing,
	{from, to, head}: BegunMove & {readonly head: string | undefined},
): Promise<Parts> => {
	const index = await readIndex(indexing);
	const since = await changes(store, from, head ?? (await emptyTree(store)));
	const now = new Map(
		since
			.filter(change => isSameEntry(index.get(change.path), newOf(change)))
			.map(change => [change.path, newOf(change)]),
	);
	const all = await changes(store, from, to);
	return {
		ours: all.filter(({path}) => !now.has(path)),
		theirs: all
			.filter(({path}) => now.has(path))
			.map(change => ({path: change.path, moved: newOf(change), now: now.get(change.path)})),
	};
};

const emptyTree = async (store: Store): Promise<string> =>
	lineOf(await sealed(store, ['hash-object', '-t', 'tree', '--stdin'], {input: ''}));

/** Removes a complete move from an index, except for the person's paths; `read-tree` handles files outside a sparse checkout. */
const unstage = async (
	indexing: Indexing,
	{from, to}: Pick<BegunMove, 'from' | 'to'>,
	theirs: readonly Theirs[],
): Promise<void> => {
	const {root, index} = indexing;
	await setEntries(indexing, to, theirs, 'moved');
	await user(root, ['read-tree', '-i', '-m', to, from], {index});
	await setEntries(indexing, to, theirs, 'now');
};

const setEntries = async (
	{root, index}: Indexing,
	{length}: string,
	theirs: readonly Theirs[],
	side: 'moved' | 'now',
): Promise<void> => {
	const lines = theirs.map(({path, [side]: entry}) =>
		entry === undefined
			? `0 ${'0'.repeat(length)}\t${path}`
			: `${entry.mode} ${entry.oid}\t${path}`,
	);
	if (lines.length > 0) {
		await user(root, ['update-index', '-z', '--index-info'], {index, input: joinNul(lines)});
	}
};

/** Finds a checkout by its git dir, relative to the common one, at any path; `gone` if git knows it but its files are missing. */
const findCheckout = async (
	repository: Repository,
	gitDir: string,
): Promise<Checkout | 'gone' | undefined> => {
	const {commonDir} = repository;
	const sought = await ifThere(realpath(join(commonDir, gitDir)));
	if (sought === undefined) {
		return undefined;
	}

	for (const {root} of await worktrees(repository)) {
		if ((await checkoutAt(repository, root))?.gitDir === sought) {
			return {root, gitDir: join(commonDir, gitDir)};
		}
	}

	return 'gone';
};

/**
Removes only the ref locks of our own killed git; returns an obstacle if another git may need them.

A lock doesn't name its owner. It counts as ours if it is younger than the move, contains only the id that we would write, and stays the same until all gits in the repository have ended.
*/
const removeStaleLocks = async (
	repository: Repository,
	move: BegunMove,
): Promise<Obstacle | undefined> => {
	const paths = lockPaths(repository, move);
	const seen = await locksAt(paths, move);
	if (seen.size === 0) {
		return undefined;
	}

	const roots = (await worktrees(repository)).map(({root}) => root);
	const busy = await waitForGits([repository.commonDir, ...roots]);
	if (busy !== undefined) {
		return busy;
	}

	for (const [path, timeMs] of await locksAt(paths, move)) {
		if (seen.get(path) === timeMs) {
			await unlink(path);
		}
	}

	return undefined;
};

/** Returns the locks that a move of a branch takes, besides that of the index. */
const lockPaths = ({commonDir}: Repository, {target, gitDir}: BegunMove): readonly string[] => [
	join(commonDir, `${refOf(target)}.lock`),
	...(gitDir === undefined ? [] : [join(commonDir, gitDir, 'HEAD.lock')]),
];

/** Returns the modification times of the locks that can be ours. */
const locksAt = async (
	paths: readonly string[],
	{to, since}: BegunMove,
): Promise<ReadonlyMap<string, number>> => {
	const found = new Map<string, number>();
	for (const path of paths) {
		const timeMs = (await ifThere(lstat(path)))?.mtimeMs;
		const content = await ifThere(readFile(path, 'utf8'));
		if (timeMs !== undefined && isSince(timeMs, since) && `${to}\n`.startsWith(content ?? '')) {
			found.set(path, timeMs);
		}
	}

	return found;
};
