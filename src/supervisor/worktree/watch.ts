import type {Body} from '../../events/event.ts';
import {asFailure, type Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/reading.ts';
import {elapsedMs} from '../../lib/text/duration.ts';
import {untilMultiple} from '../../lib/timers.ts';
import {defined} from '../../lib/values.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import {agentOf, isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {findTargetMove} from '../probe.ts';
import {requireSession, type World} from '../world.ts';
import {asCheckpoint, capture} from './capture.ts';
import {treeNow} from './change-worktree.ts';
import {dueReason, isTimed, pinMs} from './due.ts';
import {judgeChanges} from './judge.ts';
import {branchStamp, isAlias, type Lookout} from './lookout.ts';

/** Interval of looks at worktrees and the target, in milliseconds. */
const lookMs = 1000;

export type WatchParts = {
	readonly world: World;
	readonly state: () => State;
	/** Called when the session's folder is gone: there is nothing left to supervise. */
	readonly onGone: () => void;
	readonly lookout: Lookout;
};

/**
Watches for changes that come from no event: in the worktrees of working agents, and of the target. Returns a function that stops it.

Git has no stream of changes, so this is the one place that polls git, and each change becomes an event. It polls after a hint of a change, and sometimes without one; one worktree after the other, since each look reads a whole worktree.
*/
export const watch = ({world, state, onGone, lookout}: WatchParts): (() => void) => {
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;
	const isTargetDue = createTargetLookout(world);
	const seen: Seen = {looked: new Map(), reported: new Map(), since: new Map(), blind: new Map()};
	const look = async (): Promise<void> => {
		const started = performance.now();
		if (!(await isThere(world.folder.journal))) {
			onGone();
			return;
		}

		const now = state();
		const live = now.agents.filter(isLive);
		lookout.keep(live.map(({id}) => id));
		const orNothing = (look: Promise<Looked>) => look.catch((): Looked => 'same');
		const atTarget = isTargetDue(now).then(isDue =>
			isDue ? lookAtTarget(world, state()) : 'same',
		);
		await orNothing(atTarget);
		let hasViolation = false;
		for (const {id} of live) {
			const agent = agentOf(state(), id);
			const looked =
				agent !== undefined && isLive(agent)
					? await orNothing(lookIfPossible(world, agent, {seen, lookout}))
					: 'same';
			hasViolation ||= looked === 'violation';
		}

		if (!stopped) {
			timer = setTimeout(look, pauseAfter(performance.now() - started, hasViolation));
		}
	};

	timer = setTimeout(look, lookMs);
	return () => {
		stopped = true;
		clearTimeout(timer);
		lookout.close();
	};
};

/** Returns the pause after a look, so that looks take at most a tenth of the time. An agent that just left its scope may do so again at once, and that look also reverted files: then half. */
const pauseAfter = (tookMs: number, hasViolation: boolean): number =>
	Math.max(untilMultiple(lookMs), (hasViolation ? 1 : 10) * tookMs);

type Looked = 'violation' | 'changed' | 'same';

const lookAtTarget = async (world: World, state: State): Promise<Looked> => {
	const bodies = await findTargetMove(world, state);
	if (bodies.length > 0) {
		await world.append(bodies);
	}

	return 'same';
};

/** Maximum number of looks that trust the target's unchanged files before git is asked anyway. */
const believed = 60;

/** Returns a function that tells whether the target's files have changed, so that git must be asked for its commit. */
const createTargetLookout = ({repository}: World): ((state: State) => Promise<boolean>) => {
	let last: string | undefined;
	let tells = false;
	let times = 0;
	return async ({session}) => {
		const stamp = session ? branchStamp(repository, session.target) : undefined;
		const isSame = stamp === last;
		if (session && !isSame) {
			tells = !(await isAlias(repository, session.target));
		}

		last = stamp;
		times = isSame && tells && times < believed ? times + 1 : 0;
		return times === 0;
	};
};

type Parts = {readonly seen: Seen; readonly lookout: Lookout};

/** Looks at a worktree; a failed look is repeated later. */
const lookIfPossible = async (
	world: World,
	agent: Agent,
	{seen, lookout}: Parts,
): Promise<Looked> => {
	try {
		if (!(await lookout.isDue(agent.id))) {
			await pinAsSeen(world, agent, seen);
			return 'same';
		}

		const looked = await lookAt(world, agent, seen);
		seen.blind.delete(agent.id);
		lookout.looked(agent.id, looked === 'same' ? 'same' : 'changed');
		return looked;
	} catch (error) {
		lookout.looked(agent.id, 'changed');
		const bodies = blindFor(world, agent, seen, asFailure(error));
		if (bodies.length > 0) {
			await world.append(bodies);
		}

		return 'changed';
	}
};

/** Pins a worktree without a change when the time for it has come. */
const pinAsSeen = async (world: World, agent: Agent, seen: Seen): Promise<void> => {
	const tree = seen.since.get(agent.id)?.tree;
	if (tree !== undefined && agent.workspace.phase === 'ready') {
		await pinInTime(world, agent, {tree, baseline: agent.workspace.baseline}, seen);
	}
};

/** Stops an agent whose worktree could not be examined for a minute, until a person decides. On a full disk it is frozen anyway. */
const blindFor = (
	world: World,
	{id}: Agent,
	{blind}: Seen,
	{message, hint}: Failure,
): readonly Body[] => {
	const now = world.now();
	const {since, looks} = blind.get(id) ?? {since: now, looks: 0};
	const isFull = world.state().disk?.level === 'full';
	if (isFull || looks < leastLooks || elapsedMs(since, now) < pinMs) {
		blind.set(id, {since: isFull ? now : since, looks: looks + 1});
		return [];
	}

	blind.delete(id);
	const effect = {do: 'snapshot', agent: id, reason: 'a look'} as const;
	return [{kind: 'effect.failed', effect, message, final: true, ...defined({hint})}];
};

/** Minimum number of failed looks: a machine that slept has taken none. */
const leastLooks = 3;

/** Reverts changes outside the scope, and pins a worktree that has changed for a while. */
const lookAt = async (world: World, agent: Agent, seen: Seen): Promise<Looked> => {
	if (agent.workspace.phase !== 'ready') {
		return 'changed';
	}

	const {looked, reported} = seen;
	const {baseline} = agent.workspace;
	const tree = await world.serially(agent.id, () => treeNow(world, agent));
	const found = tree === seen.since.get(agent.id)?.tree ? 'same' : 'changed';
	const last = lastSnapshot(agent);
	const isStuck = (path: string) => last?.stuck?.includes(path) ?? false;
	// Violations in the last snapshot were reverted after it, if possible; these are new ones.
	const isPinned = tree === (last?.tree ?? baseline) && (last?.outside ?? []).every(isStuck);
	const isReported = tree === (reported.get(agent.id) ?? baseline);
	if ((isPinned || tree === looked.get(agent.id)) && isReported) {
		await pinInTime(world, agent, {tree, baseline}, seen);
		return found;
	}

	const {inside, outside} = await judgeChanges(world.store, agent.subtask.scope, baseline, tree);
	reported.set(agent.id, tree);
	reportChanges(world, agent, inside);
	if (!isPinned && outside.some(({change}) => !isStuck(change.path))) {
		await pinTurn(world, agent, 'left its scope');
		return 'violation';
	}

	looked.set(agent.id, tree);
	await pinInTime(world, agent, {tree, baseline}, seen);
	return found;
};

/** Known trees of a worktree: the last one without violations, the last reported one, and the current one with its time. */
type Seen = {
	readonly looked: Map<string, string>;
	readonly reported: Map<string, string>;
	readonly since: Map<string, {readonly tree: string; readonly at: string}>;
	/** Time of the first failed look, and the number of failed looks. */
	readonly blind: Map<string, {readonly since: string; readonly looks: number}>;
};

/** Maximum number of reported paths; a snapshot contains all. */
const mostPaths = 200;

const reportChanges = (
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
	{since, reported}: Seen,
): Promise<void> => {
	const now = world.now();
	const before = since.get(agent.id);
	const {at} = before?.tree === tree ? before : {at: now};
	since.set(agent.id, {tree, at});
	const reason = dueReason({
		...{agent, tree, now, lookMs, isChanged: tree !== baseline, unchangedSince: at},
		hasOthers: world
			.state()
			.agents.some(
				({id, snapshots}) => id !== agent.id && (reported.has(id) || snapshots.length > 0),
			),
		checkpointMs: requireSession(world.state()).settings.checkpointMs,
	});
	if (reason !== undefined) {
		await pinTurn(world, agent, reason);
	}
};

/** Pins the worktree if the turn is still live: a look takes time, and after the turn the worktree may have another base. */
const pinTurn = async (world: World, {id, turn}: Agent, reason: string): Promise<void> => {
	const agent = agentOf(world.state(), id);
	if (agent !== undefined && isLive(agent) && agent.turn.number === turn.number) {
		const pinned = await capture(world, agent, reason);
		await world.append(isTimed(reason) ? pinned : asCheckpoint(pinned));
	}
};
