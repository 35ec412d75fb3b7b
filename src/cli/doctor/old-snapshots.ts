import {unpinBase} from '../../git/base-ref.ts';
import {unpinAll} from '../../git/pinned.ts';
import {refsBelow, type Store} from '../../git/store.ts';
import {Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/is-there.ts';
import {elapsedMs} from '../../lib/time.ts';
import {type Attic, endedSessions, type Leftover, type ReadSession} from './leftover.ts';

/** How long snapshots are kept after the end of their session, in days. */
export const snapshotDays = 30;

const dayMs = 86_400_000;

/** Returns the snapshots of sessions that ended long ago; they are kept for as long as a worktree is there. */
export const oldSnapshots = async (attic: Attic): Promise<readonly Leftover[]> => {
	const found = await Promise.all(endedSessions(attic).map(session => snapshotsOf(attic, session)));
	return found.filter(leftover => leftover !== undefined);
};

const snapshotsOf = async (
	{here, store, now}: Attic,
	session: ReadSession,
): Promise<Leftover | undefined> => {
	const endedAt = session.state.session?.ended?.at ?? now.toISOString();
	const days = Math.floor(elapsedMs(endedAt, now.toISOString()) / dayMs);
	const prefix = `refs/delegate/${session.id}`;
	const {size} = await refsBelow(store, prefix);
	if (days < snapshotDays || size === 0) {
		return undefined;
	}

	return {
		kind: 'snapshots',
		text: `${size} snapshots of ${session.id}, which ended ${days} days ago`,
		bytes: 0,
		verdict: {kind: 'safe'},
		remove: async () => {
			await unpinUnlessNeeded(store, session, prefix);
			// Snapshots and worktrees borrow from the base; with the last of them its pin has done its work.
			await unpinBase(here.repository, session.id);
		},
	};
};

const unpinUnlessNeeded = async (
	store: Store,
	session: ReadSession,
	prefix: string,
): Promise<void> => {
	for (const {id} of session.state.agents) {
		const {tree} = session.folder.agent(id);
		if (await isThere(tree)) {
			throw new Failure('refused', `The snapshots of ${session.id} are kept: ${tree} is there.`);
		}
	}

	await unpinAll(store, prefix);
};
