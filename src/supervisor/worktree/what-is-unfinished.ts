import type {Unfinished} from '../../events/kinds/machine-event.ts';
import {isThere} from '../../lib/files/is-there.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import type {AgentFolder} from '../folder.ts';
import type {World} from '../world.ts';
import {unfinishedIn} from './unfinished.ts';

/** Returns whose worktree was being made or changed by a supervisor that did not come to the end of it. */
export const whatIsUnfinished = async (
	{folder}: Pick<World, 'folder'>,
	{agents}: State,
): Promise<readonly Unfinished[]> => {
	const found = agents
		.filter(({state}) => state !== 'MERGED' && state !== 'ABORTED')
		.map(async agent => ({agent: agent.id, doing: await doingIn(folder.agent(agent.id), agent)}));
	return (await Promise.all(found)).flatMap(({agent, doing}) =>
		doing === undefined ? [] : [{agent, doing}],
	);
};

/** Before the journal tells of a worktree, whatever there is of one was being made, or could not be. */
const doingIn = async (
	folder: AgentFolder,
	{workspace, state}: Agent,
): Promise<Unfinished['doing'] | undefined> => {
	if (workspace.phase === 'wanted') {
		const isThereSome = (await isThere(folder.hub)) || (await isThere(folder.tree));
		return isThereSome && state !== 'FAILED' ? 'made' : undefined;
	}

	const doing = await unfinishedIn(folder);
	return doing === undefined || doing === 'changed' ? doing : 'made';
};
