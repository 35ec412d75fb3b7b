import {elapsedMs, formatDuration} from '../../lib/text/duration.ts';
import {type Agent, lastSnapshot, type Snapshot} from '../../state/agent/agent.ts';

/** How an agent's worktree is found by a look. */
export type FoundWorktree = {
	readonly agent: Agent;
	readonly tree: string;
	/** Whether its tree is not what it stands on. */
	readonly isChanged: boolean;
	readonly now: string;
	/** Since when its tree is as it is, as far as looks tell. */
	readonly unchangedSince: string;
	/** Whether anybody else has done work that it could collide with. */
	readonly hasOthers: boolean;
	/** How long an agent may go without a checkpoint. */
	readonly checkpointMs: number;
	/** How long until the next look, so that a clock that was set back is told from one that waits. */
	readonly lookMs: number;
};

/** A worktree that changed is pinned at least so often, in milliseconds. */
export const pinMs = 60_000;
const pinReason = 'a minute of change';

/** Pause after which an agent's first changes are pinned, so that a collision is reported soon. */
const pauseMs = 3000;
const firstReason = 'its first changes';

/** Returns whether only time caused a snapshot; all others count as checkpoints. */
export const isTimed = (reason: string): boolean => reason === pinReason || reason === firstReason;

/** Returns why a worktree is to be pinned now, if it is. */
export const dueReason = (found: FoundWorktree): string | undefined => {
	const {agent, tree, now, checkpointMs} = found;
	const isDue = (last: Snapshot | undefined, afterMs: number): boolean => {
		const since = workedSince(agent, last);
		return last?.tree !== tree && since !== undefined && hasPassed(since, now, afterMs, found);
	};

	const checkpoint = agent.snapshots.findLast(({reason}) => !isTimed(reason));
	if (isDue(checkpoint, checkpointMs)) {
		return `a checkpoint after ${formatDuration(checkpointMs)}`;
	}

	return isDue(lastSnapshot(agent), pinMs)
		? pinReason
		: isFirstOfTurn(found)
			? firstReason
			: undefined;
};

/** Returns whether this is the first early snapshot of a turn; more would restart the slow comparison at each pause. */
const isFirstOfTurn = (found: FoundWorktree): boolean => {
	const {agent, tree, isChanged, now, unchangedSince, hasOthers} = found;
	const last = lastSnapshot(agent);
	return (
		hasOthers &&
		isChanged &&
		agent.turn.phase === 'live' &&
		(last === undefined || (last.tree !== tree && elapsedMs(last.at, agent.turn.startedAt) >= 0)) &&
		elapsedMs(unchangedSince, now) >= pauseMs
	);
};

/** Between its turns nothing changes, so that time doesn't count. */
const workedSince = ({startedAt, turn}: Agent, last: Snapshot | undefined): string | undefined => {
	const since = last?.at ?? startedAt;
	return since !== undefined && turn.phase === 'live' && elapsedMs(since, turn.startedAt) > 0
		? turn.startedAt
		: since;
};

/** Returns whether a time has passed; after a clock was set back, it counts as passed. */
const hasPassed = (since: string, now: string, ms: number, {lookMs}: FoundWorktree): boolean => {
	const passedMs = elapsedMs(since, now);
	return passedMs >= ms || passedMs < -lookMs;
};
