import type {EventOf} from '../../events/event.ts';
import {contentOf} from '../../signals/content.ts';
import type {Signal} from '../../signals/index.ts';
import {meaningOf} from '../../signals/meaning.ts';
import {type State, withAgent} from '../state.ts';
import type {Agent} from './agent.ts';

/** What an agent said in its turn and wants something by, how often in each way, and what came of it. */
export type Heard = {
	readonly content: string;
	readonly text: number;
	readonly tool: number;
	/** Items that it opened when it was last counted. */
	readonly items: readonly string[];
};

type Said = EventOf<'signal.said'>;

/**
Lets what an agent says follow unless it has been heard.

Agents print what they have just said by a tool, or call the tool for what they have printed. So what is said in one turn, in the same words, some times in text and some times by a tool, counts as often as it was said in the one way in which it was said more often. A call that is made again while its items still wait was sent again by a client that lost patience, and counts for nothing.
*/
export const countedOnce = (
	state: State,
	agent: Agent,
	event: Said,
	follow: (state: State) => State,
): State => {
	// What only informs can be said again without harm.
	if (meaningOf(event.signal).kind === 'informs') {
		return follow(state);
	}

	const before = heardOf(agent, event.signal);
	const way = event.by === 'tool' ? 'tool' : 'text';
	const after = {...before, [way]: before[way] + 1};
	if (isRepeated(state, event, after, before)) {
		return withHeard(state, agent.id, after);
	}

	const next = follow(state);
	const opened = next.items.filter(item => !state.items.some(({id}) => id === item.id));
	return withHeard(next, agent.id, {...after, items: opened.map(({id}) => id)});
};

/** Returns what came of the same words, if the agent has said them in its turn. */
export const heardOf = ({heard}: Agent, signal: Signal): Heard => {
	const content = contentOf(signal);
	return heard.find(known => known.content === content) ?? {content, text: 0, tool: 0, items: []};
};

const isRepeated = (state: State, {by}: Said, after: Heard, before: Heard): boolean =>
	by === 'tool'
		? after.tool <= before.text || state.items.some(({id}) => before.items.includes(id))
		: after.text <= before.tool;

const withHeard = (state: State, id: string, heard: Heard): State =>
	withAgent(state, id, agent => ({
		...agent,
		heard: [...agent.heard.filter(({content}) => content !== heard.content), heard],
	}));
