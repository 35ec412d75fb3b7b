import {oneLine} from '../../agents/turn.ts';
import type {Subtask} from '../../events/plan.ts';
import {defined, omit} from '../../lib/values.ts';
import type {ItemOf} from '../../state/item.ts';
import type {ChoiceOf} from '../../state/items.ts';
import {agentOf, agentsLeft} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** Returns the subtask of a new agent, modelled on an agent of the session. */
export const subtaskFor = (state: State, task: string, model: string): Subtask | undefined => {
	const like = agentOf(state, model)?.subtask;
	if (!like) {
		return undefined;
	}

	return {
		...omit(like, 'goal', 'output', 'bestOf', 'checkout'),
		id: nextAgentId(state),
		subtask: task,
		metrics: [],
		after: [],
	};
};

export const nextAgentId = (state: State): string => freeAgentIds(state)[0];

/** Returns three free ids, the maximum number of agents that may do the same work. */
export const freeAgentIds = ({agents}: State): readonly [string, string, string] => {
	const last = Math.max(0, ...agents.map(({id}) => Number(id.replace(/^AGT-/, ''))));
	const id = (number: number): string => `AGT-${String(last + number).padStart(3, '0')}`;
	return [id(1), id(2), id(3)];
};

/** Kinds of items that may add an agent. */
export type RequestKind = 'delegation' | 'blocker' | 'failure';

type Verb = ChoiceOf<RequestKind>['verb'];

/**
Returns the default subtask of the agent that a choice adds; `undefined` if the choice adds none.

It has the command and the scope of the item's agent. A replacement of a failed agent keeps everything but the id and the dependencies that can't be fulfilled.
*/
export const draftFor = (
	state: State,
	item: ItemOf<RequestKind>,
	verb: Verb,
	note: string | undefined,
): Subtask | undefined => {
	const task = taskOf(state, item, verb, note);
	if (task === undefined) {
		return undefined;
	}

	if (item.kind === 'delegation') {
		return subtaskFor(state, task, item.agent);
	}

	const whole = agentOf(state, item.agent)?.subtask;
	const goal = defined({goal: goalWith(item.kind === 'failure' ? whole?.goal : undefined, note)});
	if (item.kind === 'failure' && whole !== undefined) {
		const left = agentsLeft(state).map(({id}) => id);
		const after = whole.after.filter(id => left.includes(id));
		return {...whole, subtask: task, ...goal, id: nextAgentId(state), after};
	}

	const draft = subtaskFor(state, task, item.agent);
	return draft && {...draft, ...goal};
};

/** Returns the goal of an agent, with a person's note. */
export const goalWith = (goal: string | undefined, note: string | undefined): string | undefined =>
	note === undefined
		? goal
		: [...(goal === undefined ? [] : [goal]), `the person says: ${oneLine(note)}`].join('; ');

/** Returns the new agent's task: the requested delegation, or the person's words if they edited it. */
const taskOf = (
	state: State,
	item: ItemOf<RequestKind>,
	verb: Verb,
	note: string | undefined,
): string | undefined => {
	const edited = verb === 'edit' ? note : undefined;
	return adding.includes(verb) ? (edited ?? workIn(state, item)) : undefined;
};

const adding: readonly Verb[] = ['approve', 'edit', 'delegate', 'delegate-wait', 'redistribute'];

const workIn = (state: State, item: ItemOf<RequestKind>): string | undefined => {
	switch (item.kind) {
		case 'failure':
			return agentOf(state, item.agent)?.subtask.subtask;
		case 'blocker':
			return item.said?.blocked_work ?? item.details;
		case 'delegation':
			return item.task;
	}
};
