import type {Leftover, LeftoverContext} from './leftover.ts';
import {leftoverChecks} from './leftover-checks.ts';
import {leftoverSocket} from './leftover-socket.ts';
import {leftoverWorktrees} from './leftover-worktrees.ts';
import {lostBases} from './lost-bases.ts';
import {oldSnapshots} from './old-snapshots.ts';

/** Returns all that is left over, in the order in which it can be removed: a worktree before the snapshots that vouch for it. */
export const findLeftovers = async (context: LeftoverContext): Promise<readonly Leftover[]> => {
	const worktrees = await leftoverWorktrees(context);
	const others = [
		leftoverChecks(context),
		leftoverSocket(context),
		oldSnapshots(context, worktrees),
		lostBases(context.here),
	];
	return [worktrees, ...(await Promise.all(others))].flat();
};
