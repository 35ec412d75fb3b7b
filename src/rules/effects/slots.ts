import type {Reply} from '../../events/reply.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isDoneFor} from '../../state/agent/awaiting.ts';
import {blockingItems, isHeldUp} from '../../state/items.ts';
import {rivalsOf} from '../../state/rivals/rivals.ts';
import {agentOf, isLive, isSettled, takesReplies} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {promptOf} from './prompts.ts';

/**
Returns the number of free slots.

A running turn holds a slot; an agent that waits in a live turn frees it.
*/
export const freeSlots = (state: State): number => {
	const held = state.agents.filter(
		agent =>
			agent.state === 'SPAWNING' ||
			(isLive(agent) && !isHeldUp(state, agent) && !isAnsweredInTurn(state, agent)),
	);
	return (state.session?.settings.parallel ?? 0) - held.length;
};

/**
Returns the agents that only need a slot to continue, the longest wait first.

They have waited for a person already, so they go ahead of agents that never started.
*/
export const returning = (state: State): readonly Agent[] =>
	state.agents
		.filter(
			agent =>
				agent.state !== 'SPAWNING' &&
				(promptOf(state, agent) !== undefined || isAnsweredInTurn(state, agent)),
		)
		.toSorted((one, other) => (one.since < other.since ? -1 : 1));

/** Returns whether an agent waits in its live turn only for the words that it is owed. */
export const isAnsweredInTurn = (state: State, agent: Agent): boolean =>
	isLive(agent) &&
	!isHeldUp(state, agent) &&
	(agent.permits.length > 0 ||
		awaitedReplies(state, agent).length > 0 ||
		(takesReplies(agent) &&
			agent.spokeAt !== undefined &&
			agent.outcome === undefined &&
			agent.replies.length > 0));

/** Returns the agents that an agent still waits for; `after` and subtasks handed on follow the same rule. Of rivals, a person must have taken one first. */
export const waitsFor = (state: State, agent: Agent): readonly string[] =>
	agent.subtask.after.filter(id => {
		const other = agentOf(state, id);
		const rivals = rivalsOf(state, id);
		return (
			other !== undefined &&
			(rivals.length > 0 ? ![other, ...rivals].every(isSettled) : !isDoneFor(state, agent, other))
		);
	});

/** Returns the replies to calls that wait only for these. */
export const awaitedReplies = (state: State, agent: Agent): readonly Reply[] => {
	const holds = blockingItems(state, agent).map(({id}) => id);
	const ready = agent.listening
		.filter(({items}) => !items.some(item => holds.includes(item)))
		.flatMap(({items}) => items);
	return agent.replies.filter(({item}) => ready.includes(item));
};
