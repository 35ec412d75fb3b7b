import {join} from 'node:path';
import type {Body} from '../../events/event.ts';
import {changes} from '../../git/changes.ts';
import {putBack} from '../../git/put-back.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent} from '../../state/agent.ts';
import type {State} from '../../state/state.ts';
import {capture} from '../capture.ts';
import {rebuildIfGone} from '../rebuild.ts';
import type {World} from '../world.ts';

/** Sets a worktree back to one of its snapshots; what it held until now is pinned first. */
export const restore = async (
	world: World,
	state: State,
	agent: Agent,
	number: number,
): Promise<readonly Body[]> => {
	const goal = agent.snapshots.find(snapshot => snapshot.number === number);
	if (!goal) {
		throw new Failure('refused', `${agent.id} has no snapshot ${number}.`);
	}

	const rebuilt = await rebuildIfGone(world, state, agent);
	const before = await capture(world, agent, `before-restore:${number}`);
	const taken = before.find(body => body.kind === 'snapshot.taken');
	const folder = world.folder.agent(agent.id);
	await putBack(world.store, {
		tree: folder.tree,
		changes: taken === undefined ? [] : await changes(world.store, goal.tree, taken.tree),
		patchFile: join(folder.path, `restore-${number}.patch`),
	});
	const after = await capture(world, agent, `restored:${number}`);
	return [...rebuilt, ...before, {kind: 'snapshot.restored', agent: agent.id, number}, ...after];
};
