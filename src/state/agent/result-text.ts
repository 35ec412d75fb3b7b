import type {Agent} from './agent.ts';

/** Returns what came of an agent's work, for another one that waited for it: how it ended, what it says of it and its files. */
export const resultText = (agent: Agent): string => {
	const {id, state, updates, why, report} = agent;
	const created = report?.deliverables ?? updates.created;
	return [`${id} (${state.toLowerCase()}): ${updates.summary?.value ?? why}`, ...created].join(
		', ',
	);
};
