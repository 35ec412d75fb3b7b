import {unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {isThere} from '../lib/is-there.ts';
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

/**
Moves a ref that nobody but us writes, and returns what git said.

A git that was killed over it leaves a lock, which would keep the ref from being written ever again. Such a lock is nobody's once every git has ended that is at work there, so it is removed.
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
	const result = await move();
	return result.code !== 0 && (await removeLeftLock(commonDir, ref)) ? move() : result;
};

const removeLeftLock = async (commonDir: string, ref: string): Promise<boolean> => {
	const lock = join(commonDir, `${ref}.lock`);
	if (!(await isThere(lock)) || (await waitForGits(commonDir)) !== undefined) {
		return false;
	}

	await unlink(lock);
	return true;
};
