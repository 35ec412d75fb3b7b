import {Failure} from '../../../lib/failure.ts';
import type {Command} from '../../../rules/commands/command.ts';
import {whyNot} from '../../../rules/commands/why-not.ts';
import type {State} from '../../../state/state.ts';
import type {World} from '../../world.ts';
import {nextAgentId, subtaskFor} from '../new-subtask.ts';
import type {SupervisorRequest} from '../request.ts';

type AddRequest = Extract<SupervisorRequest, {do: 'add'}>;

/** Reads what one more agent is to do. What it has in its environment is kept before anybody believes in it; one that is refused anyway brings nothing. */
export const addCommand = async (
	{environments}: Pick<World, 'environments'>,
	state: State,
	request: AddRequest,
): Promise<Extract<Command, {kind: 'add'}>> => {
	const command = {kind: 'add', subtask: subtaskIn(state, request)} as const;
	if (request.environment !== undefined && whyNot(state, command) === undefined) {
		await environments.keepOf(command.subtask.id, request.environment);
	}

	return command;
};

/** An agent that is added by a sentence gets the command and the scope of another one. */
const subtaskIn = (state: State, {subtask, task, like}: AddRequest) => {
	if (subtask !== undefined) {
		return {...subtask, id: nextAgentId(state)};
	}

	if (task === undefined) {
		throw new Failure('usage', 'It was not said what the new agent is to do.');
	}

	const model = like ?? state.agents[0]?.id ?? '';
	const modelled = subtaskFor(state, task, model);
	if (!modelled) {
		throw new Failure('usage', `There is no agent ${model} to model the new one on.`, {
			hint: `take one of: ${state.agents.map(({id}) => id).join(', ')}`,
		});
	}

	return modelled;
};
