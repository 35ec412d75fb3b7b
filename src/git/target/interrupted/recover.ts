import {rmdir, unlink} from 'node:fs/promises';
import {asFailure} from '../../../lib/failure.ts';
import {waitForGits} from '../../process/at-work.ts';
import {joinNul} from '../../process/nul.ts';
import {user} from '../../process/user.ts';
import {refOf, tipOf} from '../../repository/branch.ts';
import {type Checkout, holderOf} from '../../repository/checkouts.ts';
import type {Repository} from '../../repository/repository.ts';
import type {Store} from '../../store/store.ts';
import {diskPath, foldersAbove} from '../../tree/disk-path.ts';
import {holderObstacle, isUnclear} from '../obstacles/holder-obstacle.ts';
import {count, type Obstacle} from '../obstacles/obstacle.ts';
import {type BegunMove, findMoveProgress} from './find-move-progress.ts';
import type {MoveProgress} from './move-progress.ts';
import {recoverArrived} from './recover-arrived.ts';
import type {Recovery} from './recovery.ts';
import {lockPaths, removeStaleLocks} from './stale-locks.ts';
import {findUnmoved} from './unmoved.ts';

/** A move of a branch that was begun, and that nobody saw come to its end. */
export type InterruptedMove = BegunMove & {
	/** Whether its git ended by itself, and so has taken its locks along; it was killed unless said otherwise. */
	readonly git?: 'killed' | 'failed';
};

/**
Clears up after a move whose git was killed or failed, or whose supervisor was killed.

Git moves a checkout file by file, then writes the index, then the branch. So a checkout is put back to before the move when its index is still the old one, and only the branch is left to move when it is the new one. That is done only where each file is known to be as before, as after, or on the way from one to the other; otherwise nothing is touched and the files are told. What keeps it from being done, such as a filter that fails, is told as well.
*/
export const recover = async (
	repository: Repository,
	store: Store,
	interrupted: InterruptedMove & {readonly target: string},
): Promise<Recovery> => {
	try {
		return await recoverNow(repository, store, interrupted);
	} catch (error) {
		return {kind: 'blocked', obstacle: unclearable(interrupted.target, error)};
	}
};

/** What kept a branch's leftovers from being cleared up, told like anything else that stands against it. */
export const unclearable = (target: string, error: unknown): Obstacle => {
	const {message, hint = 'Put that right, then try again.'} = asFailure(error);
	return {
		cause: 'cut-off',
		message: `A move of ${target} was cut off, and what it left can’t be cleared up yet: ${message}`,
		hint,
	};
};

const recoverNow = async (
	repository: Repository,
	store: Store,
	{target, ...interrupted}: InterruptedMove & {readonly target: string},
): Promise<Recovery> => {
	const holder = await holderOf(repository, refOf(target));
	if (isUnclear(holder)) {
		// What was staged is there still, whichever of the folders is the one.
		return {kind: 'blocked', obstacle: {...holderObstacle(holder, target), cause: 'cut-off'}};
	}

	const checkout = holder.kind === 'checkout' ? holder.checkout : undefined;
	const git = {...interrupted, root: checkout?.root ?? repository.root};
	// One that outlived its supervisor must not be killed while it writes.
	const busy = await waitForGits(git.root, interrupted.to);
	if (busy !== undefined) {
		return {kind: 'blocked', obstacle: busy};
	}

	const tip = await tipOf(repository, target);
	const progress = await progressIn(store, checkout, interrupted, tip);
	if (progress.kind === 'foreign' && tip === interrupted.from && checkout !== undefined) {
		return {kind: 'blocked', obstacle: foreign(checkout, progress.paths)};
	}

	const locks = lockPaths(refOf(target), {
		commonDir: repository.commonDir,
		...(checkout === undefined ? {} : {gitDir: checkout.gitDir}),
	});
	const obstacle = interrupted.git === 'failed' ? undefined : await removeStaleLocks(git, locks);
	if (obstacle !== undefined) {
		return {kind: 'blocked', obstacle};
	}

	if (progress.kind === 'half' && checkout !== undefined) {
		// Looking, and waiting for other gits, took time in which a file may have been saved.
		const now = await progressIn(store, checkout, interrupted, await tipOf(repository, target));
		if (now.kind === 'foreign') {
			return {kind: 'blocked', obstacle: foreign(checkout, now.paths)};
		}

		if (now.kind === 'half') {
			await putBack(checkout, now);
		}
	}

	if (checkout === undefined) {
		return {kind: 'clear'};
	}

	if (tip === interrupted.to) {
		return recoverArrived(repository, store, checkout, {...interrupted, target});
	}

	return progress.kind === 'after' && tip === interrupted.from
		? {kind: 'staged', checkout, unmoved: await findUnmoved(store, checkout, interrupted)}
		: {kind: 'clear'};
};

/** Where the branch has arrived, the checkout has as well, and a person may have gone on from there: nothing goes back file by file. */
const progressIn = async (
	store: Store,
	checkout: Checkout | undefined,
	interrupted: InterruptedMove,
	tip: string | undefined,
): Promise<MoveProgress> =>
	checkout === undefined || tip === interrupted.to
		? {kind: 'before'}
		: findMoveProgress(store, checkout, interrupted);

/** The obstacle that files make of which nobody can tell whose they are. */
export const foreign = ({root}: Checkout, paths: readonly string[]): Obstacle => ({
	cause: 'cut-off',
	message: `The last try was cut off in the middle, and since then ${count(paths)} in ${root} changed in another way.`,
	hint: 'Keep what you need of them elsewhere, bring them back with git checkout, then try again.',
	paths,
});

/** Sets files back to what the index says where a move had begun on them; tells those that changed in another way. */
export const putBackFiles = async (
	store: Store,
	checkout: Checkout,
	interrupted: InterruptedMove,
): Promise<Obstacle | undefined> => {
	const progress = await findMoveProgress(store, checkout, interrupted);
	if (progress.kind === 'half') {
		await putBack(checkout, progress);
	}

	return progress.kind === 'foreign' ? foreign(checkout, progress.paths) : undefined;
};

/** What is overwritten here is in a commit, whole: the move was on its way to it. */
const putBack = async (
	{root}: Checkout,
	{restore, remove}: Extract<MoveProgress, {kind: 'half'}>,
): Promise<void> => {
	for (const path of remove) {
		await unlink(diskPath(root, path));
		await removeEmptyFolders(root, path);
	}

	if (restore.length > 0) {
		// With `--index`, or git would take a file whose line endings it has made right for an edit.
		await user(root, ['checkout-index', '--index', '--force', '--quiet', '-z', '--stdin'], {
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
