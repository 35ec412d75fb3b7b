import type {Agent} from '../state/agent.ts';
import {agentOf, holdsOf, isLive} from '../state/select.ts';
import type {State} from '../state/state.ts';

/**
Returns how many more agents may work at once.

A place is held while a turn runs; an agent that waits in a live turn frees it.
*/
export const freePlaces = (state: State): number => {
	const held = state.agents.filter(
		agent => agent.state === 'SPAWNING' || (isLive(agent) && holdsOf(state, agent).length === 0),
	);
	return (state.session?.settings.parallel ?? 0) - held.length;
};

/** Returns the agents whose end another one still waits for. */
export const waitsFor = (state: State, agent: Agent): readonly string[] =>
	agent.subtask.after.filter(id => {
		const other = agentOf(state, id);
		return other !== undefined && !['COMPLETE', 'MERGED', 'ABORTED'].includes(other.state);
	});
