import {collectGarbage} from '../../git/pinned.ts';
import {takeLock} from '../../journal/lock.ts';
import {asFailure} from '../../lib/failure.ts';
import type {Attic, Leftover} from './leftover.ts';

/** What became of one leftover. */
export type Cleaned = {readonly leftover: Leftover; readonly failed?: string};

/** How long an object may be on its way to the ref that pins it, in milliseconds: another doctor may be at work here, or a supervisor have died. */
const youthMs = 86_400_000;

/**
Removes what is safe to remove, each after another look.

No supervisor starts meanwhile. Where one runs, what it may need is left alone: its socket, and objects that nothing leads to yet.
*/
export const clean = async (
	{here, store, now}: Attic,
	leftovers: readonly Leftover[],
): Promise<readonly Cleaned[]> => {
	const lock = takeLock(here.folder.lock);
	try {
		const cleaned: Cleaned[] = [];
		for (const leftover of leftovers) {
			if (leftover.verdict.kind === 'safe' && (lock || leftover.kind !== 'socket')) {
				cleaned.push(await removed(leftover));
			}
		}

		const unpinned = cleaned.some(
			({leftover, failed}) => leftover.kind === 'snapshots' && failed === undefined,
		);
		if (lock && unpinned) {
			await collectGarbage(store, new Date(now.getTime() - youthMs));
		}

		return cleaned;
	} finally {
		lock?.release();
	}
};

const removed = async (leftover: Leftover): Promise<Cleaned> => {
	try {
		await leftover.remove();
		return {leftover};
	} catch (error) {
		return {leftover, failed: asFailure(error).message};
	}
};
