import type {BodyOf} from '../../events/event.ts';
import type {Missing, SurvivingProcess} from '../../events/kinds/machine-event.ts';
import type {Wait} from '../../git/process/patience.ts';
import {refsBelow} from '../../git/store/store.ts';
import {isThere} from '../../lib/files/reading.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {snapshotRef, type World} from '../world.ts';

/** Returns an event that lists all remaining processes of an agent, or of the plan's own commands. */
export const survivorsLeft = (
	agent: string | null,
	processes: readonly SurvivingProcess[],
): BodyOf<'machine.survivors'> => ({
	kind: 'machine.survivors',
	agent,
	processes: processes.map(({pid, startTime, command}) => ({pid, startTime, command})),
});

/** Reports the remaining processes of an agent or of the plan's own commands, if the list is new. */
export const reportSurvivors = (
	world: Pick<World, 'report' | 'state'>,
	agent: string | null,
	processes: readonly SurvivingProcess[],
): void => {
	if (processes.length > 0 || world.state().survivors.some(survivor => survivor.agent === agent)) {
		world.report(survivorsLeft(agent, processes));
	}
};

/** Returns an event about the wait of a git in the person's checkout, or about the end of the wait. */
export const waiting = (wait: Wait | undefined): BodyOf<'machine.waiting'> => ({
	kind: 'machine.waiting',
	git: wait ?? null,
});

/** Returns what is in the journal but was removed from the disk: worktrees, agents' own git directories, pinned snapshots. */
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
