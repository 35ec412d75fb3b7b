import type {Body, BodyOf} from '../../events/event.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {captureNow} from '../worktree/capture.ts';
import {changeWorktree, treeNow} from '../worktree/change-worktree.ts';
import {treeAfter} from '../worktree/hidden-in.ts';
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
