import type {AgentState} from '../../events/event.ts';

/**
Every legal move between the states of an agent; `PROTOCOL, States`.

What is not in this table is refused; ABORTED has no way out.
*/
const legal: Readonly<Record<AgentState, readonly AgentState[]>> = {
	PENDING: ['SPAWNING', 'ABORTED'],
	SPAWNING: ['RUNNING', 'FAILED', 'ABORTED'],
	RUNNING: ['CHECKPOINT', 'COMPLETE', 'FAILED', 'ABORTED'],
	CHECKPOINT: ['RUNNING', 'COMPLETE', 'FAILED', 'ABORTED'],
	COMPLETE: ['RUNNING', 'MERGED', 'ABORTED'],
	FAILED: ['SPAWNING', 'MERGED', 'ABORTED'],
	MERGED: ['COMPLETE'],
	ABORTED: [],
};

/** All states, in the order of a life without trouble. */
export const agentStates = Object.keys(legal) as readonly AgentState[];

/** Returns whether an agent may move from one state to another. */
export const isLegalMove = (from: AgentState, to: AgentState): boolean => legal[from].includes(to);
