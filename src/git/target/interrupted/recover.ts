import {rename, rm, rmdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {asFailure, Failure} from '../../../lib/failure.ts';
import {copyIndex} from '../../index/copy-index.ts';
import {waitForGits} from '../../process/at-work.ts';
import {joinNul} from '../../process/nul.ts';
import {type Patience, withPatience} from '../../process/patience.ts';
import {type GitResult, gitsWords} from '../../process/result.ts';
import {user} from '../../process/user.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import {type Repository, resolveCommit} from '../../repository/repository.ts';
import type {Store} from '../../store/store.ts';
import {bringObjects} from '../../store/transfer.ts';
import {isAncestor} from '../../tree/commit.ts';
import {diskPath, foldersAbove} from '../../tree/disk-path.ts';
import {
	type BegunMove,
	endMove,
	folderOf,
	holdIndex,
	leftOf,
	letIndexGo,
	readBegunMove,
} from '../begun-move.ts';
import {count, heldIndex, type Obstacle} from '../obstacles/obstacle.ts';
import {findCheckout} from './find-checkout.ts';
import {findMoveProgress, type Indexing} from './find-move-progress.ts';
import type {MoveProgress} from './move-progress.ts';
import {partsOf, unstage} from './parts.ts';
import {removeStaleLocks} from './stale-locks.ts';

/** Takes back what a move left that was cut off, where nobody goes on with it; returns what stands against it, if something does. */
export const clearUp = (
	repository: Repository,
	{store, patience = {}}: {readonly store: Store; readonly patience?: Patience},
): Promise<Obstacle | undefined> =>
	withPatience(patience, () => recover(repository, store, 'killed'));

/** How the git of a move ended: one that failed has taken its locks along, so those that are there are not its own. */
type Ended = 'killed' | 'failed';

/**
Takes back what a move left that was begun and not ended, unless its branch has arrived; returns what stands against it, if something does.

The branch goes last, and only when all the rest is there. So it either has arrived, and only the event is missing, or what is found goes back, and whoever still wants the move starts it over:

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

Files go back only where each of them is known to be as before, as after, or on the way from one to the other; otherwise nothing is touched and they are told. What keeps it from being done, such as a filter that fails, is told as well. A kill on the way back leaves one of the same states; the index is let go in any case, so that the person can put right what is told.
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
		const left = (await leftOf(repository)).join(' ');
		return {
			cause: 'interrupted',
			message: `A move was cut off, and what it left can’t be cleared up yet: ${message}`,
			hint: `${hint} Or see git status, and when your files are as you want them: rm -r ${left}`,
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

	// One that outlived its supervisor must not be killed while it writes.
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

/** Whether what a checkout stands on came after what was to be reached; all that an undo goes to, and on the way there, came before it. */
const hasArrived = async (store: Store, {from, to}: BegunMove, head: string): Promise<boolean> =>
	(await isAncestor(store, to, head)) &&
	!(await isAncestor(store, head, from)) &&
	!((await isAncestor(store, to, from)) && (await isAncestor(store, from, head)));

type Standing = BegunMove & {
	/** The commit that the checkout stands on; nothing before a first one. */
	readonly head: string | undefined;
};

/** All is done on a copy of the index, which takes its place when the files are there. */
const bringFilesBack = async (
	store: Store,
	{root, gitDir}: Checkout,
	move: Standing,
	folder: string,
): Promise<Obstacle | undefined> => {
	const indexing = {root, index: join(folder, 'index')};
	await rm(`${indexing.index}.lock`, {force: true});
	await copyIndex(join(gitDir, 'index'), indexing.index);
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

/** Sets files back to what the index says. What is overwritten here is in a commit, whole: the move was on its way to it. */
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

/** A disk that isn't there may come back, and what was half done with it. */
const goneObstacle = ({commonDir}: Repository, {gitDir = '.'}: BegunMove): Obstacle => ({
	cause: 'interrupted',
	message: `A move was cut off, and the checkout of ${join(commonDir, gitDir)} isn’t where it was.`,
	hint:
		gitDir === '.'
			? 'Try again from there.'
			: 'Bring it back, or if you moved it: git worktree repair PATH; if it is gone for good: git worktree prune. Then try again.',
});

/** What was moved can’t be told from the person's any more, unless there is nothing to be told apart. */
const withoutObjects = async ({root}: Checkout, brought: GitResult): Promise<undefined> => {
	const status = ['--no-optional-locks', 'status', '--porcelain', '--untracked-files=normal'];
	if ((await user(root, status)).stdout.length > 0) {
		throw new Failure('refused', `what it was to bring is gone (${gitsWords(brought)}).`);
	}
};

/** The obstacle that files make of which nobody can tell whose they are. */
const foreign = (root: string, paths: readonly string[]): Obstacle => ({
	cause: 'interrupted',
	message: `The last try was cut off in the middle, and since then ${count(paths)} in ${root} changed in another way.`,
	hint: 'Keep what you need of them elsewhere and bring each back with git checkout HEAD -- FILE, or where HEAD has none, take it out with git rm --cached FILE or move it away. Then try again.',
	paths,
});
