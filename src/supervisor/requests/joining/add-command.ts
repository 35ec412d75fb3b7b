import type {Subtask} from '../../../events/plan.ts';
import {Failure} from '../../../lib/failure.ts';
import type {Command} from '../../../rules/commands/command.ts';
import {whyNot} from '../../../rules/commands/why-not.ts';
import type {State} from '../../../state/state.ts';
import type {World} from '../../world.ts';
import {freeAgentIds, nextAgentId, subtaskFor} from '../new-subtask.ts';
import type {SupervisorRequest} from '../request.ts';

type AddRequest = Extract<SupervisorRequest, {do: 'add'}>;

/** Reads what one more agent is to do. What it has in its environment is kept before anybody believes in it; one that is refused anyway brings nothing. */
export const addCommand = async (
	{environments}: Pick<World, 'environments'>,
	state: State,
	request: AddRequest,
): Promise<Extract<Command, {kind: 'add'}>> => {
	const {environment, rivals = []} = request;
	const subtask = subtaskIn(state, request);
	const command = {
		kind: 'add',
		...(rivals.length === 0
			? {subtask}
			: rivalry(state, [subtask, ...rivals.map(one => one.subtask)])),
	} as const;
	if (whyNot(state, command) === undefined) {
		const ids = freeAgentIds(state);
		const all = [environment, ...rivals.map(one => one.environment)];
		for (const [index, kept] of all.entries()) {
			await (kept && environments.keepOf(ids[index] ?? '', kept));
		}
	}

	return command;
};

/** Their ids are given where they join, and the first one's is what they are known by. */
const rivalry = (
	state: State,
	all: readonly Subtask[],
): {readonly subtask: Subtask; readonly rivals: readonly Subtask[]} => {
	const ids = freeAgentIds(state);
	const [bestOf] = ids;
	const [subtask, ...rivals] = all.map((one, index) => ({...one, id: ids[index] ?? '', bestOf}));
	if (subtask === undefined) {
		throw new Failure('usage', 'It was not said what the new agents are to do.');
	}

	return {subtask, rivals};
};

/** An agent that is added by a sentence gets the command and the scope of the one that is named; nothing is taken over unasked. */
const subtaskIn = (state: State, {subtask, task, like}: AddRequest) => {
	if (subtask !== undefined) {
		return {...subtask, id: nextAgentId(state)};
	}

	if (task === undefined || like === undefined) {
		throw new Failure('usage', 'It was not said what the new agent is to do, or like which one.');
	}

	const modelled = subtaskFor(state, task, like);
	if (!modelled) {
		throw new Failure('usage', `There is no agent ${like} to model the new one on.`, {
			hint: `take one of: ${state.agents.map(({id}) => id).join(', ')}`,
		});
	}

	return modelled;
};
