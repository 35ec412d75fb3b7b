import {stat, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {whoHasOpen} from '../../lib/process/open-files.ts';
import {waitForGits} from '../process/at-work.ts';
import type {GitResult} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';

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
export const removeOwnRef = (location: OwnRefLocation): Promise<GitResult> =>
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
