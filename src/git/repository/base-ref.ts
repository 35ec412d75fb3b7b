import {rmdir, stat, unlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {isThere} from '../../lib/files/reading.ts';
import {whoHasOpen} from '../../lib/process/process-table.ts';
import {type Obstacle, waitForGits} from '../process/at-work.ts';
import {expectCode, type GitResult, linesOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {gitLocationOf, type Repository} from './repository.ts';

/**
Pins the commit that a session started from in the person's repository.

Hubs and the store borrow the person's objects, so their `git gc` would remove the agents' base. Apart from a published target, this is the only ref that we write in their repository.
*/
export const pinBase = async (
	repository: Repository,
	session: string,
	oid: string,
): Promise<void> => {
	const {gitDir, commonDir} = repository;
	const ref = baseRef(session);
	expectCode(['update-ref', ref], await moveOwnRef({gitDir, commonDir, ref, oid}));
};

/** Returns the pinned base of a session, if any; with `*` those of all sessions. */
export const pinnedBases = async (
	repository: Repository,
	session: string,
): Promise<readonly string[]> => {
	const args = ['for-each-ref', '--format=%(objectname)', baseRef(session)];
	return linesOf(await sealed(gitLocationOf(repository), args));
};

/** Removes the ref of `pinBase`, once no snapshot or worktree of the session is left. */
export const unpinBase = async (repository: Repository, session: string): Promise<void> => {
	const {gitDir, commonDir} = repository;
	const ref = baseRef(session);
	expectCode(['update-ref', '-d', ref], await update({gitDir, commonDir, ref}, ['-d', ref]));
};

/**
Removes the ref and lock of a supervisor that was killed in `pinBase`; returns an obstacle if a git runs there.

Git puts no name on a lock, so it is removed only when no git runs in the checkout or its git dir.
*/
export const dropBase = async (
	repository: Repository,
	session: string,
): Promise<Obstacle | undefined> => {
	const folder = join(repository.commonDir, dirname(baseRef(session)));
	const isLocked = await isThere(join(repository.commonDir, `${baseRef(session)}.lock`));
	const busy = isLocked ? await waitForGits([repository.root]) : undefined;
	if (busy !== undefined) {
		return busy;
	}

	await unpinBase(repository, session);
	for (const empty of [folder, dirname(folder)]) {
		await rmdir(empty).catch(() => {});
	}

	return undefined;
};

/** Returns the sessions with a pinned base, oldest first. */
export const pinnedSessions = async ({commonDir}: Repository): Promise<readonly string[]> => {
	const args = ['for-each-ref', '--format=%(refname)', 'refs/delegate/'];
	const refs = linesOf(await sealed({gitDir: commonDir}, args));
	return refs.flatMap(ref => /^refs\/delegate\/(DEL-[^/]+)\/base$/.exec(ref)?.slice(1) ?? []);
};

export const baseRef = (session: string): string => `refs/delegate/${session}/base`;

/** A ref that only we write. */
export type OwnRefLocation = {
	readonly gitDir: string;
	/** Folder of the refs, if not `gitDir`. */
	readonly commonDir?: string;
	readonly ref: string;
};

export type OwnRef = OwnRefLocation & {
	readonly oid: string;
	/** Its old value; zeros if it must not exist. */
	readonly expected?: string;
};

/** Time after which an unchanged lock counts as left by a killed git, in milliseconds: git holds a ref's lock only for milliseconds. */
const lockMs = 1000;

/** Runs `git update-ref` for a ref that only we write. */
export const moveOwnRef = ({oid, expected, ...location}: OwnRef): Promise<GitResult> =>
	update(location, [location.ref, oid, ...(expected === undefined ? [] : [expected])]);

/** Runs `git update-ref`; if it fails because of a killed git's lock, removes the lock once no git runs there, and tries again. */
const update = async (location: OwnRefLocation, words: readonly string[]): Promise<GitResult> => {
	const {gitDir, commonDir = gitDir, ref} = location;
	const act = () => sealed({gitDir}, ['update-ref', ...words], {expect: 'any'});
	const result = await act().catch(() => undefined);
	if (result?.code === 0) {
		return result;
	}

	const isCleared = await removeLeftLock(commonDir, ref);
	return result === undefined || isCleared ? act() : result;
};

const removeLeftLock = async (commonDir: string, ref: string): Promise<boolean> => {
	const lock = join(commonDir, `${ref}.lock`);
	const seen = await modifiedAt(lock);
	if (seen === undefined || (await waitForGits([commonDir])) !== undefined) {
		return false;
	}

	await wait(lockMs);
	if ((await modifiedAt(lock)) !== seen || whoHasOpen([lock]) !== undefined) {
		return false;
	}

	await unlink(lock);
	return true;
};

const modifiedAt = (path: string): Promise<number | undefined> =>
	stat(path).then(
		({mtimeMs}) => mtimeMs,
		() => undefined,
	);
