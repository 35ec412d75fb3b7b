import type {Body} from '../../events/event.ts';
import {isThere} from '../../lib/files/is-there.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {elapsedMs} from '../../lib/time.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {agentOf, isLive, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {targetMoved} from '../probe.ts';
import {requireSession} from '../require-session.ts';
import type {World} from '../world.ts';
import {asCheckpoint, capture} from './capture.ts';
import {treeNow} from './change-worktree.ts';
import {judgeChanges} from './judge.ts';

/** How often worktrees and the target are looked at, in milliseconds. */
const lookMs = 1000;

/** A worktree that changed is pinned at least so often, in milliseconds. */
const pinMs = 60_000;
const pinReason = 'a minute of change';

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
	const seen: Seen = {looked: new Map(), told: new Map()};
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
			const hasViolation = looks.some(
				one => one.status === 'fulfilled' && one.value === 'violation',
			);
			timer = setTimeout(look, pauseAfter(performance.now() - started, hasViolation));
		}
	};

	timer = setTimeout(look, lookMs);
	return () => {
		stopped = true;
		clearTimeout(timer);
	};
};

/** Looking takes a tenth of the time at most. An agent that just left its scope may do so again at once, and much of that look was spent on reverting: then half. */
const pauseAfter = (tookMs: number, hasViolation: boolean): number =>
	Math.max(lookMs, (hasViolation ? 1 : 10) * tookMs);

type Looked = 'violation' | 'none';

const tellAny = async (world: World, bodies: readonly Body[]): Promise<Looked> => {
	if (bodies.length > 0) {
		await world.append(bodies);
	}

	return 'none';
};

/** Puts back what left the scope, and pins a worktree that has changed for a while. */
const lookAt = async (world: World, agent: Agent, {looked, told}: Seen): Promise<Looked> => {
	if (agent.workspace.phase !== 'ready') {
		return 'none';
	}

	const {baseline} = agent.workspace;
	const tree = await world.serially(agent.id, () => treeNow(world, agent));
	const last = lastSnapshot(agent);
	const isStuck = (path: string) => last?.stuck?.includes(path) ?? false;
	// What the last snapshot held outside the scope was reverted after it, if it could be; here it is again.
	const isPinned = tree === (last?.tree ?? baseline) && (last?.outside ?? []).every(isStuck);
	const isTold = tree === (told.get(agent.id) ?? baseline);
	if ((isPinned || tree === looked.get(agent.id)) && isTold) {
		await pinInTime(world, agent, tree);
		return 'none';
	}

	const {inside, outside} = await judgeChanges(world.store, agent.subtask.scope, baseline, tree);
	told.set(agent.id, tree);
	tellChanged(world, agent, inside);
	if (!isPinned && outside.some(({change}) => !isStuck(change.path))) {
		await pinTurn(world, agent, 'left its scope');
		return 'violation';
	}

	looked.set(agent.id, tree);
	await pinInTime(world, agent, tree);
	return 'none';
};

/** The trees of worktrees by their agents: in which nothing was found to be reverted, and of which the changes were told. */
type Seen = {readonly looked: Map<string, string>; readonly told: Map<string, string>};

/** Most paths that are told; a snapshot has them all. */
const mostPaths = 200;

const tellChanged = (
	{telemetry}: World,
	{id, turn}: Agent,
	changes: readonly {readonly path: string}[],
): void => {
	const paths = changes.slice(0, mostPaths).map(({path}) => path);
	telemetry.write({
		agent: id,
		turn: turn.number,
		kind: 'changed',
		files: changes.length,
		paths,
	});
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
		const pinned = await capture(world, agent, reason);
		await world.append(reason === pinReason ? pinned : asCheckpoint(pinned));
	}
};

/** Each snapshot has an occasion that a person knows of, and so is a checkpoint, but those that only time has led to. */
const dueReason = (world: World, agent: Agent, tree: string): string | undefined => {
	const {checkpointMs} = requireSession(world.state()).settings;
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
