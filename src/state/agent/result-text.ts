import type {Agent} from './agent.ts';

/** Returns what came of an agent's work, for another one that waited for it: how it ended, what it says of it and its files. */
export const resultText = (agent: Agent): string => {
	const {id, state, told, why, report} = agent;
	const created = report?.deliverables ?? told.created;
	return [`${id} (${state.toLowerCase()}): ${told.summary?.value ?? why}`, ...created].join(', ');
};
