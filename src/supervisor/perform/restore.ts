import type {Body, BodyOf} from '../../events/event.ts';
import type {Change} from '../../git/tree/changes.ts';
import {type Entry, entriesOf, isSameEntry} from '../../git/tree/entry.ts';
import {graft} from '../../git/tree/graft.ts';
import type {EffectOf} from '../../rules/effects/effect.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {revertedChanges} from '../worktree/bring-git-back.ts';
import {captureNow} from '../worktree/capture.ts';
import {changeWorktree, treeNow} from '../worktree/change-worktree.ts';
import {treeAfter} from '../worktree/hidden-in.ts';
import {judgeChanges} from '../worktree/judge.ts';
import {rebuildNow} from '../worktree/rebuild.ts';
import {requireSnapshot, type World} from '../world.ts';

/**
Sets a worktree back to one of its snapshots; what it held until now is pinned first.

What that snapshot stood on comes back with it: measured against anything else, work of others that was put under the agent since would count as taken back by it.
*/
export const restore = async (
	world: World,
	state: State,
	agent: Agent,
	number: number,
): Promise<readonly Body[]> => {
	const goal = requireSnapshot(agent, number);
	const restored: Body = {kind: 'snapshot.restored', agent: agent.id, number};
	if (agent.workspace.phase === 'wanted') {
		return [restored];
	}

	return world.serially(agent.id, async () => {
		await rebuildNow(world, state, agent);
		await world.append(await captureNow(world, agent, `before-restore:${number}`));
		const tree = await treeAfter(world, goal);
		await changeWorktree(world, agent, {
			from: await treeNow(world, agent),
			to: tree,
			snapshot: goal.commit,
			patch: `restore-${number}`,
			// That it was restored comes last: until that is written, the whole is owed and can be done again.
			events: async () => [
				...preparedOn(agent, goal, tree),
				...(await captureNow(world, standingOn(world, agent, goal), `restored:${number}`)),
				restored,
			],
		});
		return [];
	});
};

const preparedOn = (
	{id, workspace}: Agent,
	{startingPoint}: Snapshot,
	tree: string,
): readonly BodyOf<'workspace.prepared'>[] =>
	workspace.phase === 'ready' &&
	workspace.base === startingPoint.base &&
	workspace.baseline === startingPoint.baseline
		? []
		: [{kind: 'workspace.prepared', agent: id, ...startingPoint, tree}];

const standingOn = (world: World, agent: Agent, {startingPoint}: Snapshot): Agent => ({
	...(agentOf(world.state(), agent.id) ?? agent),
	workspace: {phase: 'ready', ...startingPoint},
});

/**
Brings changes back into a worktree that had been reverted there and were granted since; what it held until now is pinned first.

A file comes back whole, so only over what it was when it was reverted: over anything else it would take other work back.
*/
export const bringBack = async (
	world: World,
	state: State,
	agent: Agent,
	{since, paths}: EffectOf<'bring-back'>,
): Promise<readonly Body[]> => {
	if (agent.workspace.phase === 'wanted') {
		return [{kind: 'scope.granted', agent: agent.id, since, paths: [], left: []}];
	}

	return world.serially(agent.id, async () => {
		await rebuildNow(world, state, agent);
		await world.append(await captureNow(world, agent, `before-grant:${since}`));
		const now = agentOf(world.state(), agent.id) ?? agent;
		const from = await treeNow(world, now);
		const {fitting, left} = await tellApart(world, now, {paths, held: from});
		const to = await graft(world.store, {onto: from, changes: fitting});
		await changeWorktree(world, now, {
			from,
			to,
			patch: `grant-${since}`,
			// That it was done comes last: until that is written, the whole is owed and can be done again.
			events: async () => [
				...(await captureNow(world, now, `granted:${since}`)),
				{
					kind: 'scope.granted',
					agent: agent.id,
					since,
					paths: fitting.map(({path}) => path),
					left,
				},
			],
		});
		return [];
	});
};

type Parts = {
	readonly fitting: readonly Change[];
	readonly left: BodyOf<'scope.granted'>['left'];
};

/** Sorts changes into those to restore and those already in place, from an earlier try or because they could not be reverted. */
const tellApart = async (
	world: World,
	agent: Agent,
	{paths, held}: {readonly paths: readonly string[]; readonly held: string},
): Promise<Parts> => {
	const wanted = await revertedChanges(world.store, agent, paths);
	const there = new Map(await entriesOf(world.store, held));
	const fitting: Change[] = [];
	const left: {path: string; why: string}[] = [];
	// Deletions first: they may make room for what comes back in their place.
	for (const change of wanted.toSorted((one, other) => rank(one) - rank(other))) {
		const why = whyLeft(there, change);
		if (why !== undefined) {
			left.push({path: change.path, why});
			continue;
		}

		fitting.push(change);
		if (change.status === 'D') {
			there.delete(change.path);
		} else {
			there.set(change.path, change.new);
		}
	}

	const reasons = await whyOutside(world, agent, held, fitting);
	return {
		fitting: fitting.filter(({path}) => !reasons.has(path)),
		left: [...left, ...[...reasons].map(([path, why]) => ({path, why}))],
	};
};

const rank = ({status}: Change): number => (status === 'D' ? 0 : 1);

const whyLeft = (there: ReadonlyMap<string, Entry>, change: Change): string | undefined => {
	const entry = there.get(change.path);
	const before = 'old' in change ? change.old : undefined;
	const after = 'new' in change ? change.new : undefined;
	if (!isSameEntry(entry, before) && !isSameEntry(entry, after)) {
		return 'it was changed again since';
	}

	return entry === undefined && after !== undefined && isBuiltOn(there, change.path)
		? 'something else is in its place'
		: undefined;
};

/** Whether a file could come to a path only in the place of a folder, or of a file where its own folder would be. */
const isBuiltOn = (there: ReadonlyMap<string, Entry>, path: string): boolean =>
	[...there.keys()].some(other => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));

/** A scope is not all that a change can be reverted for: a link may lead elsewhere. */
const whyOutside = async (
	{store}: World,
	{subtask, workspace}: Agent,
	held: string,
	fitting: readonly Change[],
): Promise<ReadonlyMap<string, string>> => {
	if (workspace.phase === 'wanted') {
		return new Map();
	}

	const tree = await graft(store, {onto: held, changes: fitting});
	const {outside} = await judgeChanges(store, subtask.scope, workspace.baseline, tree);
	const isFitting = new Set(fitting.map(({path}) => path));
	return new Map(
		outside.flatMap(({change: {path}, why}) => (isFitting.has(path) ? [[path, why] as const] : [])),
	);
};
