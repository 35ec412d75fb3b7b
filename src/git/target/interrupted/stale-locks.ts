import {lstat, readFile, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../../lib/files/if-there.ts';
import {waitForGits} from '../../process/at-work.ts';
import {refOf} from '../../repository/branch.ts';
import {worktrees} from '../../repository/checkouts.ts';
import type {Repository} from '../../repository/repository.ts';
import type {BegunMove} from '../begun-move.ts';
import type {Obstacle} from '../obstacles/obstacle.ts';
import {isSince} from './touched-since.ts';

/**
Removes the locks that a git of ours has left which was killed over the branch, and no others; returns a git that may still need them.

Git puts no name on a lock. It counts as ours if it came after the move began, holds nothing but what we were about to write, and is the same once every git is gone that was at work in the repository when we saw it.
*/
export const removeStaleLocks = async (
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

/** The locks that moving a branch takes, besides that of the index. */
const lockPaths = ({commonDir}: Repository, {target, gitDir}: BegunMove): readonly string[] => [
	join(commonDir, `${refOf(target)}.lock`),
	...(gitDir === undefined ? [] : [join(commonDir, gitDir, 'HEAD.lock')]),
];

/** When each lock that can be ours was written last. */
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
