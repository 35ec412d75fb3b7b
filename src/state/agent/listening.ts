import {type Awake, awakeLater} from '../../events/awake.ts';
import type {Deadline} from '../../events/deadline.ts';
import type {EventOf} from '../../events/event.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import type {Agent} from './agent.ts';

/** A call that is held open for a person's answer. */
export type Listening = {
	/** Number of the event by which it asked. */
	readonly seq: number;
	readonly items: readonly string[];
	/** When it is let go without an answer. */
	readonly until: Awake;
};

/**
How long a call is held at most, in milliseconds.

The clients of agents give up after 60 s unless they are set otherwise, and can't be asked; an answer must be there before.
*/
const holdMs = 55_000;

/** Returns until when a call can be held that asked at a time. */
export const longestHold = (askedAt: Awake): Awake => awakeLater(askedAt, holdMs);

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

	const most = longestHold(state.awake);
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
