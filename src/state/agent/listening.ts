import {awakeLater, type Deadline} from '../../events/deadline.ts';
import type {EventOf} from '../../events/event.ts';
import type {Signal} from '../../signals/index.ts';
import {contentOf, meaningOf} from '../../signals/meaning.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import type {Agent, Heard, Listening} from './agent.ts';

/**
Nobody is waited for longer than this, in milliseconds.

Agents' own tools give up after ten minutes. So do the clients of agents that were measured, and those that give up after one wait on while progress comes. A client that lets go sooner loses nothing: its agent gets the answer by its next prompt.
*/
export const longestWaitMs = 8 * 60_000;

/** Lets an agent wait in its call for answers to the questions that it just asked by it, for as long as quick answers to them may take. */
export const listens = (state: State, event: EventOf<'signal.said'>): State => {
	const isLive = agentOf(state, event.agent)?.turn.phase === 'live';
	const asked = state.items.flatMap(item =>
		item.kind === 'question' && item.group === event.seq ? [item] : [],
	);
	const last = asked
		.map(({deadline}) => deadline)
		.toSorted()
		.at(-1);
	if (event.by !== 'tool' || !isLive || last === undefined || last === state.awake) {
		return state;
	}

	const most = awakeLater(state.awake, longestWaitMs);
	const call = {
		seq: event.seq,
		items: asked.map(({id}) => id),
		until: last < most ? last : most,
	};
	return withAgent(state, event.agent, agent => ({
		...agent,
		listening: [...agent.listening, call],
	}));
};

/** Names the end of a held call. */
export const listeningDeadline = (agent: string, {seq}: Listening): ListeningDeadline => ({
	of: 'listening',
	agent,
	seq,
});

type ListeningDeadline = Extract<Deadline, {of: 'listening'}>;

/** A call was let go: it was the agent's last word, from now on. */
export const listenedInVain = (state: State, {agent: id, seq}: ListeningDeadline): State =>
	withAgent(state, id, agent => {
		const listening = agent.listening.filter(call => call.seq !== seq);
		return listening.length < agent.listening.length
			? {...agent, listening, spokeAt: state.awake}
			: agent;
	});

/** Returns the agent without the calls that got these replies. */
export const withoutAnswered = (agent: Agent, items: readonly string[]): Agent => ({
	...agent,
	listening: agent.listening.filter(call => !call.items.some(item => items.includes(item))),
});

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
