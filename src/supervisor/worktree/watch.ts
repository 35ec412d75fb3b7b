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

/** How often worktrees and the target are looked at, in milliseconds. */
const lookMs = 1000;

export type WatchParts = {
	readonly world: World;
	readonly state: () => State;
	/** Called when the session's folder is gone: there is nothing left to supervise. */
	readonly onGone: () => void;
	readonly lookout: Lookout;
};

/**
Looks at what changes without an event: the worktrees of agents at work, and the target.

Git has no stream of changes, so it is asked, in this one place, and each change becomes an event. It is asked where something hints at a change, and now and then without that; of one worktree after the other, since each look reads all of one. Returns how to stop.
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

/** Looking takes a tenth of the time at most. An agent that just left its scope may do so again at once, and much of that look was spent on reverting: then half. */
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

/** How many times the target's files are believed to be as they were before git is asked all the same. */
const believed = 60;

/** Returns whether git has to be asked where the target is, because its files have changed. */
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

/** A look that fails is taken again. */
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

/** Time passes for a worktree that nothing changes in as well. */
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

/** A machine that slept has taken none meanwhile. */
const leastLooks = 3;

/** Puts back what left the scope, and pins a worktree that has changed for a while. */
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
	// What the last snapshot held outside the scope was reverted after it, if it could be; here it is again.
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
	/** Since when each look has failed, and how many did. */
	readonly blind: Map<string, {readonly since: string; readonly looks: number}>;
};

/** Most paths that are reported; a snapshot has them all. */
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

/** Looking takes a while: once the turn is over, what is in the worktree is no longer of this turn, and may stand on something else. */
const pinTurn = async (world: World, {id, turn}: Agent, reason: string): Promise<void> => {
	const agent = agentOf(world.state(), id);
	if (agent !== undefined && isLive(agent) && agent.turn.number === turn.number) {
		const pinned = await capture(world, agent, reason);
		await world.append(isTimed(reason) ? pinned : asCheckpoint(pinned));
	}
};
