import type {Body} from '../../events/event.ts';
import {isThere} from '../../lib/files/is-there.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {agentOf, isLive, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {targetMoved} from '../probe.ts';
import {requireSession} from '../require-session.ts';
import type {World} from '../world.ts';
import {asCheckpoint, capture} from './capture.ts';
import {treeNow} from './change-worktree.ts';
import {dueReason, isTimed} from './due.ts';
import {judgeChanges} from './judge.ts';

/** How often worktrees and the target are looked at, in milliseconds. */
const lookMs = 1000;

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
	const seen: Seen = {looked: new Map(), told: new Map(), since: new Map()};
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
const lookAt = async (world: World, agent: Agent, seen: Seen): Promise<Looked> => {
	if (agent.workspace.phase !== 'ready') {
		return 'none';
	}

	const {looked, told} = seen;
	const {baseline} = agent.workspace;
	const tree = await world.serially(agent.id, () => treeNow(world, agent));
	const last = lastSnapshot(agent);
	const isStuck = (path: string) => last?.stuck?.includes(path) ?? false;
	// What the last snapshot held outside the scope was reverted after it, if it could be; here it is again.
	const isPinned = tree === (last?.tree ?? baseline) && (last?.outside ?? []).every(isStuck);
	const isTold = tree === (told.get(agent.id) ?? baseline);
	if ((isPinned || tree === looked.get(agent.id)) && isTold) {
		await pinInTime(world, agent, {tree, baseline}, seen);
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
	await pinInTime(world, agent, {tree, baseline}, seen);
	return 'none';
};

/** The trees of worktrees by their agents: in which nothing was found to be reverted, of which the changes were told, and which is there since when. */
type Seen = {
	readonly looked: Map<string, string>;
	readonly told: Map<string, string>;
	readonly since: Map<string, {readonly tree: string; readonly at: string}>;
};

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

const pinInTime = async (
	world: World,
	agent: Agent,
	{tree, baseline}: {readonly tree: string; readonly baseline: string},
	{since, told}: Seen,
): Promise<void> => {
	const now = world.now();
	const before = since.get(agent.id);
	const {at} = before?.tree === tree ? before : {at: now};
	since.set(agent.id, {tree, at});
	const reason = dueReason({
		...{agent, tree, now, lookMs, isChanged: tree !== baseline, unchangedSince: at},
		hasOthers: world
			.state()
			.agents.some(({id, snapshots}) => id !== agent.id && (told.has(id) || snapshots.length > 0)),
		checkpointMs: requireSession(world.state()).settings.checkpointMs,
	});
	if (reason !== undefined) {
		await pinTurn(world, agent, reason);
	}
};

/** Looking takes a while: once the turn is over, what is in the worktree is no longer of this turn, and may stand on something else. */
const pinTurn = async (world: World, {id, turn}: Agent, reason: string): Promise<void> => {
	const agent = agentOf(world.state(), id);
	if (agent !== undefined && isLive(agent) && agent.turn.number === turn.number) {
		const pinned = await capture(world, agent, reason);
		await world.append(isTimed(reason) ? pinned : asCheckpoint(pinned));
	}
};
