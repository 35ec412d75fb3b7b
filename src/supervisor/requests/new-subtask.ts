import type {Subtask} from '../../events/plan.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** Returns the subtask of an agent that joins a running session, modelled on one that is in it. */
export const subtaskFor = (state: State, task: string, model: string): Subtask | undefined => {
	const like = agentOf(state, model)?.subtask;
	if (!like) {
		return undefined;
	}

	const {goal: _, output: __, ...kept} = like;
	return {
		...kept,
		id: nextAgentId(state),
		subtask: task,
		metrics: [],
		after: [],
		inputs: like.inputs,
	};
};

/** Returns the next free id of an agent. */
export const nextAgentId = (state: State): string => {
	const numbers = state.agents.map(({id}) => Number(id.replace(/^AGT-/, '')));
	return `AGT-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
};
