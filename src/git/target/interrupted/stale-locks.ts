import {lstat, readFile, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../../lib/files/if-there.ts';
import {whoHasOpen} from '../../../lib/process/open-files.ts';
import {waitForGits} from '../../process/at-work.ts';
import type {Obstacle} from '../obstacles/obstacle.ts';
import {clockSlackMs} from './touched-since.ts';

/** What is known of a git of ours that was killed. */
export type KilledGit = {
	/** The folder it ran in. */
	readonly root: string;
	/** The commit that it was to move to. */
	readonly to: string;
	/** When it can have begun at the earliest, ISO 8601. */
	readonly since: string;
};

/**
Removes the locks that a killed git of ours has left.

Git puts no name on a lock. It counts as ours if it came after we began, holds nothing but what we were about to write, and every git is gone that was at work there when we saw it: one that came later can't hold it. An editor may take locks by a library of its own, without a git; while it has one open, that shows. Any other lock is told, and none is removed then.
*/
export const removeStaleLocks = async (
	git: KilledGit,
	paths: readonly string[],
): Promise<Obstacle | undefined> => {
	const seen = await locksAt(paths);
	if (seen.length === 0) {
		return undefined;
	}

	const busy = await waitForGits(git.root);
	if (busy !== undefined) {
		return busy;
	}

	const left = await locksAt(paths);
	const holder = whoHasOpen(left.map(({path}) => path));
	if (holder !== undefined) {
		return {
			cause: 'locked',
			message: `A program holds a lock in ${git.root} (process ${holder.pid}: ${holder.command.slice(0, 80)}).`,
			hint: 'Let it finish, then try again.',
		};
	}

	const isSeen = ({path, modifiedMs}: LockFile) =>
		seen.some(lock => lock.path === path && lock.modifiedMs === modifiedMs);
	const strange = left.find(lock => !(isSeen(lock) && isOurs(lock, git)));
	if (strange !== undefined) {
		return {
			cause: 'locked',
			message: `Another git command is at work here, or was killed: ${strange.path} exists.`,
			hint: 'Let it finish, then try again; if no git is running, remove the file.',
		};
	}

	await Promise.all(left.map(({path}) => unlink(path)));
	return undefined;
};

/** The names of the locks that moving a branch takes, in a checkout's git folder and in the common one; git 2.39 doesn't take all of them. */
export const lockPaths = (
	ref: string,
	{gitDir, commonDir}: {readonly gitDir?: string; readonly commonDir: string},
): readonly string[] => [
	join(commonDir, `${ref}.lock`),
	join(commonDir, 'packed-refs.lock'),
	...(gitDir === undefined ? [] : checkoutLocks.map(name => join(gitDir, name))),
];

const checkoutLocks = ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock', 'AUTO_MERGE.lock'];

type LockFile = {
	readonly path: string;
	readonly modifiedMs: number;
	/** What is written in it; of an index that is no text. */
	readonly content: string | undefined;
};

const locksAt = async (paths: readonly string[]): Promise<readonly LockFile[]> =>
	(await Promise.all(paths.map(path => ifThere(lookAt(path))))).filter(lock => lock !== undefined);

const lookAt = async (path: string): Promise<LockFile> => {
	const {mtimeMs} = await lstat(path);
	const isIndex = path.endsWith('/index.lock');
	const content = isIndex ? undefined : await readFile(path, 'utf8');
	return {path, modifiedMs: mtimeMs, content};
};

/** `ORIG_HEAD` is written with the commit before, so of its lock only the time tells. */
const isOurs = ({path, modifiedMs, content}: LockFile, {to, since}: KilledGit): boolean =>
	modifiedMs >= Date.parse(since) - clockSlackMs &&
	(content === undefined || path.endsWith('/ORIG_HEAD.lock') || ['', to].includes(content.trim()));
