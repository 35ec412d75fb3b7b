import {withoutTools} from '../../../agents/launch-prompt.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import type {AgentTurn} from '../../../agents/turn.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import type {World} from '../../world.ts';
import {toolsIn} from './launch-config.ts';

type Served = Pick<Agent, 'id' | 'subtask'>;

/** How long a server of tools may take to start on a machine that starts three agents at a time, in milliseconds. */
const arrivalMs = 10_000;

/**
Returns what an agent's prompt says where its tools are not there.

No agent tells over the protocol whether a server runs that it was handed. One that would begin its turn without servers is prompted once ours runs.
*/
export const missingTools = async (
	{tools, folder}: World,
	{id, subtask}: Served,
	isNew: boolean,
): Promise<readonly string[]> => {
	const {agent} = subtask;
	const mayWait =
		isNew &&
		(profileOf(agent)?.beginsWithoutServers === true ||
			(agent.protocol === 'acp' && agent.tools === 'http'));
	return (isNew && !mayWait) ||
		(await tools.servers.arrival(id, mayWait ? arrivalMs : 0)) ||
		(await toolsIn(subtask, folder.agent(id).tree)) !== 'sure'
		? []
		: [withoutTools(subtask.expect)];
};

const neverCame =
	'It did not connect to delegate-tui’s tool server, so it asks and reports in text. An agent that takes servers only by HTTP gets it with `tools: http` in its profile.';

/** Tells a person where the server of an agent's tools doesn't come in its turn, or ends in it. */
export const watchTools = async (
	{tools: {servers}, folder}: World,
	{id, subtask}: Served,
	{number, ended}: Pick<AgentTurn, 'ended'> & {readonly number: number},
	onUnmet: (what: string) => void,
): Promise<void> => {
	const known = await toolsIn(subtask, folder.agent(id).tree);
	if (known === 'none') {
		return;
	}

	const over = ended.then(() => 'over');
	const hasCome = await Promise.race([over, servers.arrival(id, arrivalMs)]);
	if (hasCome === false) {
		// One that is not known may take no tools at all, which is told once.
		if (known === 'sure' || number === 1) {
			onUnmet(neverCame);
		}
	} else if ((await Promise.race([over, servers.loss(id)])) !== 'over' && servers.areLost(id)) {
		onUnmet('The server of delegate-tui’s tools has ended; its next turn begins with a new one.');
	}
};
