import {agentOfItem} from '../select.ts';
import {type State, withAgent, withoutItems} from '../state.ts';
import type {Agent} from './agent.ts';

/** Takes an agent out of the session; its work stays pinned. Only what a person chose in so many words does this. */
export const cancel = (agent: Agent, why: string): Agent => ({
	...agent,
	verdict: {kind: 'cancelled', why},
});

/** Takes an agent out of the session, with all that it waits for. */
export const aborted = (state: State, id: string, why = 'aborted by a person'): State =>
	withAgent(
		withoutItems(state, item => agentOfItem(item) === id),
		id,
		agent => cancel(agent, why),
	);
