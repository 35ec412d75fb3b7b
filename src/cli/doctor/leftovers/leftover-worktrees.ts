import {rmdir} from 'node:fs/promises';
import {join} from 'node:path';
import {pinnedBases} from '../../../git/repository/base-ref.ts';
import {copyBorrowed} from '../../../git/store/copy-borrowed.ts';
import {pinHub} from '../../../git/store/pin-hub.ts';
import {refsBelow} from '../../../git/store/store.ts';
import {Failure} from '../../../lib/failure.ts';
import {diskUsage} from '../../../lib/files/disk-usage.ts';
import {removeFolder} from '../../../lib/files/remove-folder.ts';
import {endedSessions, type Leftover, type LeftoverContext} from './leftover.ts';
import {whyWorktreeKept} from './why-worktree-kept.ts';
import {type WorktreeHome, worktreeHomes} from './worktree-homes.ts';

/** Returns the worktrees of sessions that have ended; one that holds anything that is pinned nowhere is kept. */
export const leftoverWorktrees = async (context: LeftoverContext): Promise<readonly Leftover[]> => {
	const homes = (await Promise.all(endedSessions(context).map(worktreeHomes))).flat();
	const found = await Promise.all(homes.map(home => worktreeIn(context, home)));
	return found.filter(leftover => leftover !== undefined);
};

const worktreeIn = async (
	context: LeftoverContext,
	home: WorktreeHome,
): Promise<Leftover | undefined> => {
	const {session, agent, path} = home;
	const parts = ['tree', 'hub.git', 'index', 'making', 'discarded'].map(name => join(path, name));
	const sizes = await Promise.all(parts.map(diskUsage));
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	if (bytes === 0) {
		return undefined;
	}

	const why = await whyWorktreeKept(context, home);
	return {
		kind: 'worktree',
		text: `worktree of ${agent.id} in ${session.id} (${join(path, 'tree')})`,
		session: {id: session.id, endedAt: session.endedAt},
		bytes,
		verdict:
			why === undefined
				? {kind: 'safe', first: 'what its own git holds is pinned first'}
				: {kind: 'kept', why},
		remove: async () => {
			const reason = await whyWorktreeKept(context, home);
			if (reason !== undefined) {
				throw new Failure('refused', `${join(path, 'tree')} was not removed: ${reason}.`);
			}

			const prefix = `refs/delegate/${session.id}/${agent.id}/own`;
			await pinHub(context.store, join(path, 'hub.git'), prefix);
			// Git fetches nothing that it can borrow.
			await copyBorrowed(context.store, {
				of: [...(await refsBelow(context.store, prefix)).values()],
				beyond: await pinnedBases(context.here.repository, session.id),
			});
			for (const part of parts) {
				await removeFolder(part);
			}

			// One that was set aside leaves its folder empty; an agent's holds its transcripts.
			await rmdir(path).catch(() => {});
		},
	};
};
