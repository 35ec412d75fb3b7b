import {acceptedAgents} from '../state/merge/members.ts';
import type {State} from '../state/state.ts';

/** How a session is, in numbers. */
export type Health = {
	/** Agents whose turn runs. */
	readonly running: number;
	/** Agents that have not begun. */
	readonly queued: number;
	/** All agents that the session knows. */
	readonly registrySize: number;
	readonly waitingQuestions: number;
	/** All that waits for a person, questions included. */
	readonly waitingItems: number;
	/** Agents whose result is there: finished, merged, or salvaged. */
	readonly storedResults: number;
};

/** Returns how many agents run, wait and are done, and what waits for a person. */
export const healthOf = (state: State): Health => {
	const {agents, items} = state;
	const salvaged = acceptedAgents(state).filter(({state}) => state === 'FAILED');
	const done = agents.filter(({state}) => state === 'COMPLETE' || state === 'MERGED');
	return {
		running: agents.filter(({turn}) => turn.phase === 'live').length,
		queued: agents.filter(({state}) => state === 'PENDING').length,
		registrySize: agents.length,
		waitingQuestions: items.filter(({kind}) => kind === 'question').length,
		waitingItems: items.length,
		storedResults: done.length + salvaged.length,
	};
};
