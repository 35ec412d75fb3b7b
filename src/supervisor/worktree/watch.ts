import type {Body} from '../../events/event.ts';
import {isThere} from '../../lib/files/is-there.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {elapsedMs} from '../../lib/time.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {agentOf, isLive, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {targetMoved} from '../probe.ts';
import type {World} from '../world.ts';
import {capture} from './capture.ts';
import {treeNow} from './change-worktree.ts';
import {judgeChanges} from './judge.ts';

/** How often worktrees and the target are looked at, in milliseconds. */
const lookMs = 1000;

/** A worktree that changed is pinned at least so often, in milliseconds. */
const pinMs = 60_000;
const pinReason = 'a minute of change';

/** How long an agent may go without a checkpoint in a session that doesn't say, in milliseconds. */
const defaultCheckpointMs = 30 * 60_000;

export type WatchParts = {
	readonly world: World;
	readonly state: () => State;
	/** Called when the session's folder is gone: there is nothing left to supervise. */
	readonly onGone: () => void;
};

/**
Looks at what changes without an event: the worktrees of agents at work, and the target.

Git has no stream of changes, so it is polled, in this one place, and each change becomes an event. Returns how to stop.
*/
export const watch = ({world, state, onGone}: WatchParts): (() => void) => {
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;
	const seen = new Map<string, string>();
	const look = async (): Promise<void> => {
		const started = performance.now();
		if (!(await isThere(world.folder.journal))) {
			onGone();
			return;
		}

		// A look that fails is taken again; what it would have found is found by the next snapshot.
		const looks = await Promise.allSettled([
			targetMoved(world, state()).then(bodies => tellAny(world, bodies)),
			...state()
				.agents.filter(isLive)
				.map(agent => lookAt(world, agent, seen)),
		]);
		if (!stopped) {
			const strayed = looks.some(one => one.status === 'fulfilled' && one.value === 'strayed');
			timer = setTimeout(look, pauseAfter(performance.now() - started, strayed));
		}
	};

	timer = setTimeout(look, lookMs);
	return () => {
		stopped = true;
		clearTimeout(timer);
	};
};

/** Looking takes a tenth of the time at most. Who strays may do so again at once, and much of that look was spent on putting back: then half. */
const pauseAfter = (tookMs: number, strayed: boolean): number =>
	Math.max(lookMs, (strayed ? 1 : 10) * tookMs);

type Looked = 'strayed' | 'calm';

const tellAny = async (world: World, bodies: readonly Body[]): Promise<Looked> => {
	if (bodies.length > 0) {
		await world.tell(bodies);
	}

	return 'calm';
};

/** Puts back what left the scope, and pins a worktree that has changed for a while. */
const lookAt = async (world: World, agent: Agent, seen: Map<string, string>): Promise<Looked> => {
	if (agent.workspace.phase !== 'ready') {
		return 'calm';
	}

	const {baseline} = agent.workspace;
	const tree = await world.serially(agent.id, () => treeNow(world, agent));
	const last = lastSnapshot(agent);
	const isStuck = (path: string) => last?.stuck?.includes(path) ?? false;
	// What the last snapshot held outside the scope was put back after it, if it could be; here it is again.
	const isPinned = tree === (last?.tree ?? baseline) && (last?.outside ?? []).every(isStuck);
	if (isPinned || tree === seen.get(agent.id)) {
		await pinInTime(world, agent, tree);
		return 'calm';
	}

	const {outside} = await judgeChanges(world.store, agent.subtask.scope, baseline, tree);
	if (outside.some(({change}) => !isStuck(change.path))) {
		await pinTurn(world, agent, 'left its scope');
		return 'strayed';
	}

	seen.set(agent.id, tree);
	await pinInTime(world, agent, tree);
	return 'calm';
};

const pinInTime = async (world: World, agent: Agent, tree: string): Promise<void> => {
	const reason = dueReason(world, agent, tree);
	if (reason !== undefined) {
		await pinTurn(world, agent, reason);
	}
};

/** Looking takes a while: once the turn is over, what is in the worktree is no longer of this turn, and may stand on something else. */
const pinTurn = async (world: World, {id, turn}: Agent, reason: string): Promise<void> => {
	const agent = agentOf(world.state(), id);
	if (agent !== undefined && isLive(agent) && agent.turn.number === turn.number) {
		await world.tell(await capture(world, agent, reason));
	}
};

/** Each snapshot has an occasion that a person knows of, and so is a checkpoint, but those that only time has led to. */
const dueReason = (world: World, agent: Agent, tree: string): string | undefined => {
	const {checkpointMs = defaultCheckpointMs} = world.state().session?.settings ?? {};
	const isDue = (last: Snapshot | undefined, afterMs: number): boolean => {
		const since = workedSince(agent, last);
		return last?.tree !== tree && since !== undefined && hasPassed(since, world.now(), afterMs);
	};

	if (
		isDue(
			agent.snapshots.findLast(({reason}) => reason !== pinReason),
			checkpointMs,
		)
	) {
		return `a checkpoint after ${formatDuration(checkpointMs)}`;
	}

	return isDue(lastSnapshot(agent), pinMs) ? pinReason : undefined;
};

/** Between its turns nothing changes, so that time doesn't count. */
const workedSince = ({startedAt, turn}: Agent, last: Snapshot | undefined): string | undefined => {
	const since = last?.at ?? startedAt;
	return since !== undefined && turn.phase === 'live' && elapsedMs(since, turn.startedAt) > 0
		? turn.startedAt
		: since;
};

/** By a clock that was set back since, nobody knows how long it is: long enough. */
const hasPassed = (since: string, now: string, ms: number): boolean => {
	const passedMs = elapsedMs(since, now);
	return passedMs >= ms || passedMs < -lookMs;
};
