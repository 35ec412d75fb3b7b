import {withoutTools} from '../../../agents/launch-prompt.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import type {AgentTurn} from '../../../agents/turn.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {protectsFiles} from '../../machine/sandbox.ts';
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
	world: World,
	{id, subtask}: Served,
	isNew: boolean,
): Promise<readonly string[]> => {
	const {tools, folder} = world;
	const mayWait =
		isNew &&
		(profileOf(subtask.agent)?.beginsWithoutServers === true || takesHttp(subtask)) &&
		!isOutOfReach(world, subtask);
	return (isNew && !mayWait) ||
		(await tools.servers.arrival(id, mayWait ? arrivalMs : 0)) ||
		(await toolsIn(subtask, folder.agent(id).tree)) !== 'sure'
		? []
		: [withoutTools(subtask.expect)];
};

const takesHttp = ({agent}: Served['subtask']): boolean =>
	agent.protocol === 'acp' && agent.tools === 'http';

/** Returns whether an agent would have to reach its tools over a loopback that is not its own. */
const isOutOfReach = (
	{containment, state}: Pick<World, 'containment' | 'state'>,
	subtask: Served['subtask'],
): boolean => {
	const sandbox = state().session?.settings.sandbox;
	return (
		takesHttp(subtask) && sandbox?.network !== undefined && protectsFiles(containment, sandbox)
	);
};

const outOfReach =
	'It can’t reach delegate-tui’s tools by HTTP, since sandbox.network gives it a loopback of its own; so it asks and reports in text. Set `sandbox: {network: open}`, or remove `tools: http` where it starts servers itself.';
const neverCame =
	'It did not connect to delegate-tui’s tool server, so it asks and reports in text.';
const byHttp =
	' An agent that takes servers only by HTTP gets it with `tools: http` in its profile.';

/** Tells a person where the server of an agent's tools doesn't come in its turn, or ends in it. */
export const watchTools = async (
	world: World,
	{id, subtask}: Served,
	{number, ended}: Pick<AgentTurn, 'ended'> & {readonly number: number},
	onUnmet: (what: string) => void,
): Promise<void> => {
	const {servers} = world.tools;
	const known = await toolsIn(subtask, world.folder.agent(id).tree);
	if (known === 'none') {
		return;
	}

	const over = ended.then(() => 'over');
	const isOut = isOutOfReach(world, subtask);
	const hasCome = isOut ? false : await Promise.race([over, servers.arrival(id, arrivalMs)]);
	if (hasCome === false) {
		// One that is not known may take no tools at all, which is told once.
		if (known === 'sure' || number === 1) {
			const inVain = takesHttp(subtask) ? neverCame : `${neverCame}${byHttp}`;
			onUnmet(isOut ? outOfReach : inVain);
		}
	} else if ((await Promise.race([over, servers.loss(id)])) !== 'over' && servers.areLost(id)) {
		onUnmet('The server of delegate-tui’s tools has ended; its next turn begins with a new one.');
	}
};
