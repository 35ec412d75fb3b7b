import type {Plan, Subtask} from '../../events/plan.ts';
import type {PositionOf, Problem} from '../../lib/text/yaml-document.ts';
import {type CheckOptions, checkPlan} from './check.ts';
import {toProblem} from './finding.ts';
import {inReadingOrder} from './shape.ts';

export type JoiningOptions = CheckOptions & {
	/** Ids of agents that were in the session, but are no longer in the plan. */
	readonly givenUp?: readonly string[];
};

/** Checks an agent's subtask, and those of its rivals, against the repository and the plan that they join; problems of other agents are left out. */
export const checkSubtask = (
	plan: Plan,
	[subtask, ...rivals]: readonly [Subtask, ...Subtask[]],
	options: JoiningOptions,
): readonly Problem[] => {
	const {positionOf, givenUp = []} = options;
	const others = plan.agents.filter(({id}) => id !== subtask.id);
	const at = others.length;
	const ids = others.map(({id}) => id);
	const own: PositionOf = ([, index, ...path], part) =>
		typeof index === 'number' && index >= at ? positionOf(path, part) : nowhere;
	const checked = checkPlan(
		{...plan, agents: [...others, subtask, ...rivals]},
		{...options, positionOf: own},
	);
	const unknown = subtask.after.flatMap((id, index) =>
		ids.includes(id)
			? []
			: toProblem(
					{
						level: 'error',
						path: ['after', index],
						...(givenUp.includes(id)
							? {
									message: `${id} was given up, so no agent can wait for it.`,
									hint: 'Remove it from `after`.',
								}
							: {
									message: `There is no agent ${id}.`,
									hint: `There are: ${ids.join(', ')}.`,
								}),
					},
					positionOf,
				),
	);
	return inReadingOrder([...unknown, ...checked.filter(({line}) => line > 0)]);
};

const nowhere = {file: '', line: 0, column: 0};

/** Returns a plan after an agent's subtask was given to another one, which isn't in the plan yet: agents that waited for the first wait for the other. */
export const handedOver = (plan: Plan, from: string, to: string): Plan => ({
	...plan,
	agents: plan.agents
		.filter(({id}) => id !== from)
		.map(agent => ({...agent, after: agent.after.map(id => (id === from ? to : id))})),
});
