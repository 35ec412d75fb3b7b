import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {Environments} from '../world.ts';

/**
Returns what an agent's profile sets in its environment.

One that joins a running session is started as another one is, so it gets that one's environment: without it, it would lack a login or a model that the other has.
*/
export const environmentOf = (
	environments: Environments,
	state: State,
	id: string,
): Readonly<Record<string, string>> => {
	const own = environments[id];
	const agent = agentOf(state, id);
	if (own !== undefined || agent === undefined) {
		return own ?? {};
	}

	const command = JSON.stringify(agent.subtask.agent);
	const isAlike = (other: string): boolean =>
		JSON.stringify(agentOf(state, other)?.subtask.agent) === command;
	const models = [
		...(agent.requestedBy === undefined ? [] : [agent.requestedBy]),
		...Object.keys(environments),
	];
	const [alike = {}] = models
		.filter(isAlike)
		.map(other => environments[other])
		.filter(given => given !== undefined);
	return alike;
};
