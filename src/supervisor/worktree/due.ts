import {elapsedMs, formatDuration} from '../../lib/text/duration.ts';
import {type Agent, lastSnapshot, type Snapshot} from '../../state/agent/agent.ts';

/** State of an agent's worktree at a look. */
export type FoundWorktree = {
	readonly agent: Agent;
	readonly tree: string;
	/** True if its tree differs from its base. */
	readonly isChanged: boolean;
	readonly now: string;
	/** Time since which its tree is unchanged, according to the looks. */
	readonly unchangedSince: string;
	/** True if there is other agents' work with which it could conflict. */
	readonly hasOthers: boolean;
	/** Maximum time of an agent without a checkpoint, in milliseconds. */
	readonly checkpointMs: number;
	/** Time until the next look, in milliseconds, to detect a clock that was set back. */
	readonly lookMs: number;
};

/** Maximum time between snapshots of a changing worktree, in milliseconds. */
export const pinMs = 60_000;
const pinReason = 'a minute of change';

/** Pause after which an agent's first changes are pinned, in milliseconds, so that a conflict is reported soon. */
const pauseMs = 3000;
const firstReason = 'its first changes';

/** Returns whether only time caused a snapshot; all others count as checkpoints. */
export const isTimed = (reason: string): boolean => reason === pinReason || reason === firstReason;

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

/** Returns the start of the time that counts for a snapshot: between turns nothing changes, so that time doesn't count. */
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
