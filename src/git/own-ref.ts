import {stat, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {waitForGits} from './at-work.ts';
import type {GitResult} from './result.ts';
import {sealed} from './sealed.ts';

export type OwnRef = {
	readonly gitDir: string;
	/** Where the refs lie, if not in `gitDir`: a linked worktree has a git folder of its own. */
	readonly commonDir?: string;
	readonly ref: string;
	readonly oid: string;
	/** Where it must stand before; zeros for nowhere. */
	readonly expected?: string;
};

/** A ref is locked for milliseconds; a lock that is the same for so long is nobody's, in milliseconds. */
const lockMs = 1000;

/**
Moves a ref that nobody but us writes, and returns what git said.

A git that was killed over it leaves a lock, which would keep the ref from being written ever again. Such a lock is taken away once every git has ended that is at work there, and the move is tried again.
*/
export const moveOwnRef = async ({
	gitDir,
	commonDir = gitDir,
	ref,
	oid,
	expected,
}: OwnRef): Promise<GitResult> => {
	const args = ['update-ref', ref, oid, ...(expected === undefined ? [] : [expected])];
	const move = () => sealed({gitDir}, args, {expect: 'any'});
	const result = await move().catch(() => undefined);
	if (result?.code === 0) {
		return result;
	}

	const isCleared = await removeLeftLock(commonDir, ref);
	return result === undefined || isCleared ? move() : result;
};

const removeLeftLock = async (commonDir: string, ref: string): Promise<boolean> => {
	const lock = join(commonDir, `${ref}.lock`);
	const seen = await modifiedAt(lock);
	if (seen === undefined || (await waitForGits(commonDir)) !== undefined) {
		return false;
	}

	await wait(lockMs);
	if ((await modifiedAt(lock)) !== seen) {
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
