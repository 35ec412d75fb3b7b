import {setTimeout} from 'node:timers/promises';
import {withoutTools} from '../../../agents/launch-prompt.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import type {AgentTurn} from '../../../agents/turn.ts';
import {heldMarks} from '../../../lib/process/kill-stragglers.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {protectsFiles} from '../../machine/sandbox.ts';
import type {World} from '../../world.ts';
import {toolsIn} from './launch-config.ts';

type Served = Pick<Agent, 'id' | 'subtask'>;

/** Time within which a tool server starts, in milliseconds, on a machine that starts three agents at once. */
const arrivalMs = 10_000;

/**
Returns text for an agent's prompt if its tools are missing.

No agent reports over the protocol whether a server runs. For an agent that would start its turn without waiting for servers, this waits until ours runs.
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

/** Returns whether an agent can't reach its tools over HTTP because it has its own loopback interface. */
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

/** Reports if an agent's tool server doesn't start in its turn, or ends during it. */
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
		// An agent of an unknown vendor may not support tools at all, which is reported once.
		if (known === 'sure' || number === 1) {
			const inVain = takesHttp(subtask) ? neverCame : `${neverCame}${byHttp}`;
			onUnmet(isOut ? outOfReach : inVain);
		}
	} else if ((await Promise.race([over, servers.loss(id)])) !== 'over' && servers.areLost(id)) {
		onUnmet('The server of delegate-tui’s tools has ended; its next turn begins with a new one.');
	}
};

/** Environment variable that names a person's server, beside the mark of its agent. */
export const serverMark = 'DELEGATE_SERVER';

/** Mark of the agent whose servers are looked for, and the interval, in milliseconds. */
type Looking = Pick<AgentTurn, 'ended'> & {
	readonly mark: string;
	/** True if the agent's process, and so its servers, started with this turn. */
	readonly isNew: boolean;
	readonly everyMs?: number;
};

/** Number of looks after which an unseen server counts as not started, and a seen one as ended. */
const [looksToCome, looksToGo] = [3, 2];

/**
Reports if a person's own server doesn't start in a turn of its agent, or ends during it: few agents report that.

Each server has an environment variable by which it is found. Only Linux shows the environment of all processes; on other systems nothing is reported.
*/
export const watchServers = async (
	names: readonly string[],
	{mark, isNew, ended, everyMs = 5000}: Looking,
	onUnmet: (what: string) => void,
): Promise<void> => {
	const [, turn] = mark.split('=', 2);
	const markOf = (name: string) => `${serverMark}=${turn}/${name}`;
	const over = new AbortController();
	void ended.then(() => over.abort());
	const missed = new Map(names.map(name => [name, 0]));
	const seen = new Set<string>();
	while (missed.size > 0) {
		await setTimeout(everyMs, undefined, {signal: over.signal}).catch(() => {});
		const held = heldMarks([mark, ...names.map(markOf)]);
		if (over.signal.aborted || !held.has(mark)) {
			return;
		}

		for (const [name, misses] of missed) {
			if (held.has(markOf(name))) {
				seen.add(name);
				missed.set(name, 0);
			} else if (seen.has(name) && misses + 1 === looksToGo) {
				onUnmet(`Its server ${name} has ended.`);
				missed.delete(name);
			} else if (!seen.has(name) && misses + 1 === looksToCome) {
				onUnmet(`Its server ${name} does not run: it ended at once, or was not started.`);
				missed.delete(name);
			} else {
				missed.set(name, isNew || seen.has(name) ? misses + 1 : 0);
			}
		}
	}
};
