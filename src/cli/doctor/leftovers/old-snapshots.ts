import {unpinBase} from '../../../git/repository/base-ref.ts';
import {pinnedBytes, unpinAll} from '../../../git/store/pinned.ts';
import {refsBelow} from '../../../git/store/store.ts';
import {Failure} from '../../../lib/failure.ts';
import {counted} from '../../../lib/text/counted.ts';
import {elapsedMs} from '../../../lib/time.ts';
import {type EndedSession, endedSessions, type Leftover, type LeftoverContext} from './leftover.ts';
import {worktreeThere} from './worktree-homes.ts';

/** How long snapshots are kept after the end of their session, in days. */
const snapshotDays = 30;

const dayMs = 86_400_000;

/** Returns the snapshots of sessions that ended long ago; they are kept for as long as a worktree is. */
export const oldSnapshots = async (
	context: LeftoverContext,
	worktrees: readonly Leftover[],
): Promise<readonly Leftover[]> => {
	const found = await Promise.all(
		endedSessions(context).map(session => snapshotsOf(context, session, worktrees)),
	);
	return found.filter(leftover => leftover !== undefined);
};

const snapshotsOf = async (
	{here, store, now}: LeftoverContext,
	session: EndedSession,
	worktrees: readonly Leftover[],
): Promise<Leftover | undefined> => {
	const {id, endedAt} = session;
	const prefix = `refs/delegate/${id}`;
	const refs = [...(await refsBelow(store, prefix)).keys()];
	if (elapsedMs(endedAt, now.toISOString()) < snapshotDays * dayMs || refs.length === 0) {
		return undefined;
	}

	const needed = worktrees.some(one => one.session?.id === id && one.verdict.kind === 'kept');
	return {
		kind: 'snapshots',
		text: `${countText(refs)} of ${id}`,
		session: {id, endedAt},
		bytes: await pinnedBytes(store, prefix),
		verdict: needed ? {kind: 'kept', why: 'a worktree of it is kept'} : {kind: 'safe'},
		remove: async () => {
			const tree = await worktreeThere(session);
			if (tree !== undefined) {
				throw new Failure('refused', `The snapshots of ${id} are kept: ${tree} is there.`);
			}

			await unpinAll(store, prefix);
			// Snapshots and worktrees borrow from the base; with the last of them its pin has done its work.
			await unpinBase(here.repository, id);
		},
	};
};

/** Beside the snapshots there are refs for the baseline, for results, for what an agent's git held. */
const countText = (refs: readonly string[]): string =>
	counted(refs.filter(ref => /\/\d+$/.test(ref)).length, 'snapshot');
