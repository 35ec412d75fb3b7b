import {awakeLater, type Deadline} from '../../events/deadline.ts';
import type {EventOf} from '../../events/event.ts';
import type {Signal} from '../../signals/index.ts';
import {contentOf, meaningOf} from '../../signals/meaning.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import type {Agent, Heard, Listening} from './agent.ts';

/**
Maximum wait of a call, in milliseconds.

Agents' own tools time out after ten minutes. So do the clients of the agents that were measured; those with a timeout of one minute wait longer while they get progress. An earlier timeout loses nothing: the agent gets the answer with its next prompt.
*/
export const longestWaitMs = 8 * 60_000;

/** Holds an agent's call open for answers to the questions that it asked, for as long as quick answers may take. */
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

export const listeningDeadline = (agent: string, {seq}: Listening): ListeningDeadline => ({
	of: 'listening',
	agent,
	seq,
});

type ListeningDeadline = Extract<Deadline, {of: 'listening'}>;

/** Ends a held call without an answer; from now on it counts as the agent's last word. */
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
Applies an agent's signal unless it was heard before.

Agents print a signal that they have just sent by tool, or call the tool for one that they have printed. So the same words in one turn count as often as they came in the more frequent way, text or tool. A repeated call whose items are still open comes from a client that timed out, and is ignored.
*/
export const countedOnce = (
	state: State,
	agent: Agent,
	event: Said,
	follow: (state: State) => State,
): State => {
	// An informing signal can be repeated without harm.
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

/** Returns the outcome of the same words, if the agent has said them in its turn. */
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
