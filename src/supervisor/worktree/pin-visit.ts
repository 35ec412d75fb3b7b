import type {Body} from '../../events/event.ts';
import {symlinkMode} from '../../git/tree/entry.ts';
import {graft} from '../../git/tree/graft.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {World} from '../world.ts';
import {captureNow} from './capture.ts';
import {treeNow} from './change-worktree.ts';
import {judgeChanges} from './judge.ts';

/**
Pins what a person had done in an agent's worktree.

What that changed outside the agent's scope is neither its doing nor its work: it stays, as what `setup` makes does, and never comes into a merge. Links are judged as always: they may lead elsewhere later.
*/
export const pinVisit = (world: World, agent: Agent, reason: string): Promise<readonly Body[]> =>
	world.serially(agent.id, async () => {
		const {workspace, subtask} = agent;
		if (workspace.phase !== 'ready') {
			return [];
		}

		const tree = await treeNow(world, agent);
		const {outside} = await judgeChanges(world.store, subtask.scope, workspace.baseline, tree);
		const stays = outside
			.map(({change}) => change)
			.filter(change => change.status === 'D' || change.new.mode !== symlinkMode);
		if (stays.length === 0) {
			return captureNow(world, agent, reason);
		}

		const {base, onto, conflicts} = workspace;
		const baseline = await graft(world.store, {onto: workspace.baseline, changes: stays});
		return [
			{kind: 'workspace.prepared', agent: agent.id, base, baseline, onto, conflicts},
			...(await captureNow(world, {...agent, workspace: {...workspace, baseline}}, reason)),
		];
	});
