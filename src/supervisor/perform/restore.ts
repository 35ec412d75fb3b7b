import type {Body, BodyOf} from '../../events/event.ts';
import type {Change} from '../../git/tree/changes.ts';
import {type Entry, isSameEntry} from '../../git/tree/entry.ts';
import {graft} from '../../git/tree/graft.ts';
import {entriesOf} from '../../git/tree/listing.ts';
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
Restores a worktree to one of its snapshots, after pinning its current content.

The snapshot's starting point is restored too: compared with a newer one, others' work in it would count as reverted by the agent.
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
			// Record the restoration last: until then the whole effect is owed and can be repeated.
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
Restores changes in a worktree that were reverted and then granted, after pinning its current content.

It restores whole files, so only over the version to which a file was reverted: over any other it would revert other work.
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
			// Record the grant last: until then the whole effect is owed and can be repeated.
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

/** Separates changes to restore from those already in place, from an earlier try or because they could not be reverted. */
const tellApart = async (
	world: World,
	agent: Agent,
	{paths, held}: {readonly paths: readonly string[]; readonly held: string},
): Promise<Parts> => {
	const wanted = await revertedChanges(world.store, agent, paths);
	const there = new Map(await entriesOf(world.store, held));
	const fitting: Change[] = [];
	const left: {path: string; why: string}[] = [];
	// Deletions first: they may make room for files in their place.
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

/** Returns whether a path collides with existing entries: a folder at the path, or a file at one of its parents. */
const isBuiltOn = (there: ReadonlyMap<string, Entry>, path: string): boolean =>
	[...there.keys()].some(other => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));

/** Returns the changes that must not come back, with the reasons. Scopes are not enough: a link may lead outside. */
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
