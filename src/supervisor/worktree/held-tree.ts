import {changes} from '../../git/tree/changes.ts';
import {graft} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {lastSnapshot} from '../../state/select.ts';
import type {Works} from '../world.ts';

/** Returns the tree that an agent's worktree holds while nobody works in it, as the journal tells it. */
export const heldTree = async (works: Works, agent: Agent): Promise<string> => {
	const {workspace} = agent;
	if (workspace.phase === 'wanted') {
		throw new Failure('internal', `${agent.id} has no worktree yet.`);
	}

	const last = lastSnapshot(agent);
	return workspace.tree ?? (last === undefined ? workspace.baseline : treeAfter(works, last));
};

/** Returns what a worktree holds after a snapshot of it: what that found outside the scope was reverted, as far as it could be. */
export const treeAfter = async (
	{store}: Works,
	{tree, outside, stuck = [], startingPoint}: Snapshot,
): Promise<string> => {
	const isStuck = new Set(stuck);
	const gone = new Set(outside.filter(path => !isStuck.has(path)));
	if (gone.size === 0) {
		return tree;
	}

	const back = await changes(store, tree, startingPoint.baseline);
	return graft(store, {onto: tree, changes: back.filter(({path}) => gone.has(path))});
};
