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
Keeps the commit that a session started from alive in the person's repository.

Hubs and the store borrow the person's objects, so a `git gc` of theirs would otherwise take away what agents stand on. Besides a target that is published to, this is the only ref we write there.
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

/** Returns the commits that are kept alive so: that of a session, if it is, or those of all sessions with `*`. */
export const pinnedBases = async (
	repository: Repository,
	session: string,
): Promise<readonly string[]> => {
	const args = ['for-each-ref', '--format=%(objectname)', baseRef(session)];
	return linesOf(await sealed(gitLocationOf(repository), args));
};

/** Gives up the hold of `pinBase`, once no snapshot or worktree of the session is left; nothing happens when there is none. */
export const unpinBase = async (repository: Repository, session: string): Promise<void> => {
	const {gitDir, commonDir} = repository;
	const ref = baseRef(session);
	expectCode(['update-ref', '-d', ref], await removeOwnRef({gitDir, commonDir, ref}));
};

/**
Takes away what a supervisor may have left that was killed over `pinBase`, and returns a git that is in the way of that.

A lock that a killed git left has no name on it. It goes only when no git is at work in the checkout or its git folder, so that it can't be anybody's.
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

/** Returns the sessions whose base is pinned in the person's repository, the first one first. */
export const pinnedSessions = async ({commonDir}: Repository): Promise<readonly string[]> => {
	const args = ['for-each-ref', '--format=%(refname)', 'refs/delegate/'];
	const refs = linesOf(await sealed({gitDir: commonDir}, args));
	return refs.flatMap(ref => /^refs\/delegate\/(DEL-[^/]+)\/base$/.exec(ref)?.slice(1) ?? []);
};

/** Returns the ref in the person's repository that keeps the base of a session alive. */
export const baseRef = (session: string): string => `refs/delegate/${session}/base`;

/** Where a ref lies that nobody but us writes. */
export type OwnRefLocation = {
	readonly gitDir: string;
	/** Where the refs lie, if not in `gitDir`: a linked worktree has a git folder of its own. */
	readonly commonDir?: string;
	readonly ref: string;
};

export type OwnRef = OwnRefLocation & {
	readonly oid: string;
	/** Where it must stand before; zeros for nowhere. */
	readonly expected?: string;
};

/** A ref is locked for milliseconds; a lock that is the same for so long is nobody's, in milliseconds. */
const lockMs = 1000;

/** Moves a ref that nobody but us writes, and returns what git said. */
export const moveOwnRef = ({oid, expected, ...location}: OwnRef): Promise<GitResult> =>
	update(location, [location.ref, oid, ...(expected === undefined ? [] : [expected])]);

/** Removes a ref that nobody but us writes, and returns what git said; all is well when there is none. */
const removeOwnRef = (location: OwnRefLocation): Promise<GitResult> =>
	update(location, ['-d', location.ref]);

/**
Updates a ref.

A git that was killed over it leaves a lock, which would keep the ref from being written ever again. Such a lock is taken away once every git has ended that is at work there, and the update is tried again.
*/
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
