import {pinnedBases} from '../../../git/repository/base-ref.ts';
import {collectGarbage} from '../../../git/store/pinned.ts';
import {takeLock} from '../../../journal/lock.ts';
import {asFailure} from '../../../lib/failure.ts';
import {keepNamed} from './keep-named.ts';
import type {Leftover, LeftoverContext} from './leftover.ts';

/** What became of one leftover. */
export type Cleaned = {readonly leftover: Leftover; readonly failed?: string};

/** How long an object may be on its way to the ref that pins it, in milliseconds: another doctor may be at work here, or a supervisor have died. */
const youthMs = 86_400_000;

/**
Removes what is safe to remove, each after another look.

No supervisor starts meanwhile. Where one runs, what it may need is left alone: its socket, and objects that nothing leads to yet.
*/
export const clean = async (
	context: LeftoverContext,
	leftovers: readonly Leftover[],
): Promise<readonly Cleaned[]> => {
	const lock = takeLock(context.here.folder.lock);
	try {
		const cleaned: Cleaned[] = [];
		for (const leftover of leftovers) {
			if (leftover.verdict.kind === 'safe' && (lock || leftover.kind !== 'socket')) {
				cleaned.push(await removed(leftover));
			}
		}

		return lock ? await givenBack(context, cleaned) : cleaned;
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

/** Gives back the space of snapshots that were removed, or tells with each why that could not be done. */
const givenBack = async (
	{here, store, sessions, now}: LeftoverContext,
	cleaned: readonly Cleaned[],
): Promise<readonly Cleaned[]> => {
	const isUnpinned = ({leftover, failed}: Cleaned): boolean =>
		leftover.kind === 'snapshots' && failed === undefined;
	if (!cleaned.some(isUnpinned)) {
		return cleaned;
	}

	try {
		await keepNamed(store, sessions);
		const bases = await pinnedBases(here.repository, '*');
		await collectGarbage(store, new Date(now.getTime() - youthMs), bases);
		return cleaned;
	} catch (error) {
		const failed = `their space could not be given back: ${asFailure(error).message}`;
		return cleaned.map(one => (isUnpinned(one) ? {...one, failed} : one));
	}
};
