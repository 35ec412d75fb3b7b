import {
	type AgentResults,
	resultsBlock,
	resultsInPrompt,
} from '../../../agents/resume/results-block.ts';
import {readEndAt} from '../../../lib/files/reading.ts';
import {withoutColors} from '../../../lib/text/sanitize.ts';
import {defined} from '../../../lib/values.ts';
import {wordsBesideSignals} from '../../../signals/parser/parser.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {endingText, resultFacts} from '../../../state/agent/awaiting.ts';
import {buildsOn} from '../../../state/rivals/rivals.ts';
import {isSettled} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {writePrivate} from '../../worktree/private-file.ts';
import type {World} from '../../world.ts';

/** Blocks of an agent's prompt about other agents' work. */
export type HandedOver = {
	/** Results of the agents that it last waited for. */
	readonly awaited?: string;
	/** Earlier results: of agents that it builds on, and of its delegations. */
	readonly before?: string;
};

/**
Returns blocks about other agents' work for an agent's prompt, and writes the full text into its worktree.

An agent without memory gets all of them at each start; otherwise only the results that it waited for.
*/
export const handOver = async (world: World, state: State, agent: Agent): Promise<HandedOver> => {
	const awaited = agent.replies.flatMap(({results}) => results?.of ?? []);
	const known = state.agents
		.filter(one => one.requestedBy === agent.id && (one.state === 'COMPLETE' || isSettled(one)))
		.map(({id}) => id);
	const before = [...buildsOn(state, agent), ...known].filter(id => !awaited.includes(id));
	const resultsOf = (ids: readonly string[]): Promise<readonly AgentResults[]> =>
		Promise.all(state.agents.filter(({id}) => ids.includes(id)).map(one => whatCameOf(world, one)));
	const blocks = [await resultsOf(awaited), await resultsOf(before)] as const;
	const [told, earlier] = blocks;
	const all = state.agents.flatMap(({id}) => [...told, ...earlier].filter(one => one.agent === id));
	if (all.length === 0) {
		return {};
	}

	const file = await writePrivate(
		world.folder.agent(agent.id).tree,
		'results.md',
		resultsBlock(all),
	);
	const mostBytes = resultsInPrompt / blocks.filter(({length}) => length > 0).length;
	const blockOf = (results: readonly AgentResults[]): string | undefined =>
		results.length === 0 ? undefined : resultsBlock(results, {mostBytes, ...defined({file})});
	return defined({awaited: blockOf(told), before: blockOf(earlier)});
};

const whatCameOf = async (world: World, agent: Agent): Promise<AgentResults> => ({
	agent: agent.id,
	ended: endingText(agent),
	facts: resultFacts(agent),
	message: await lastMessage(world, agent),
});

/** Maximum length of an agent's last words, in bytes. */
const mostWords = 256 * 1024;

const lastMessage = async (
	{folder}: World,
	{id, turn}: Pick<Agent, 'id' | 'turn'>,
): Promise<readonly string[]> => {
	const words = await readEndAt(folder.agent(id).transcript(turn.number), mostWords);
	return wordsBesideSignals(words.split('\n').map(withoutColors));
};
