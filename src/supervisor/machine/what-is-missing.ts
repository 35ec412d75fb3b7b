import type {Missing} from '../../events/kinds/machine-event.ts';
import {refsBelow} from '../../git/store/store.ts';
import {isThere} from '../../lib/files/is-there.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {snapshotRef, type World} from '../world.ts';

/** Returns what the journal tells of and somebody has removed: worktrees, the agents' own git folders, pinned snapshots. */
export const whatIsMissing = async (
	world: Pick<World, 'store' | 'session' | 'folder'>,
	{agents}: State,
): Promise<readonly Missing[]> => {
	const pinned = await refsBelow(world.store, `refs/delegate/${world.session}`);
	const missing = agents
		.filter(({state}) => state !== 'MERGED' && state !== 'ABORTED')
		.map(agent => missingOf(world, agent, pinned));
	return (await Promise.all(missing)).flat();
};

const missingOf = async (
	{session, folder}: Pick<World, 'session' | 'folder'>,
	{id, workspace, snapshots}: Agent,
	pinned: ReadonlyMap<string, string>,
): Promise<readonly Missing[]> => {
	const {tree, hub} = folder.agent(id);
	const isMade = workspace.phase === 'ready';
	const numbers = snapshots
		.map(({number}) => number)
		.filter(number => !pinned.has(snapshotRef(session, id, number)));
	return [
		...(isMade && !(await isThere(tree)) ? [{agent: id, what: 'worktree' as const}] : []),
		...(isMade && !(await isThere(hub)) ? [{agent: id, what: 'git' as const}] : []),
		...(numbers.length === 0 ? [] : [{agent: id, what: 'snapshots' as const, numbers}]),
	];
};
