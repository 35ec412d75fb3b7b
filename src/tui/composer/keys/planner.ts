import {isDivided} from '../model/composition.ts';
import {ask, carryOut} from '../model/moves.ts';
import type {ComposerAction, Context, Outcome} from '../model/view.ts';

/** How a planner is asked for a plan, and stopped. */
export const plannerActions: readonly ComposerAction[] = [
	{
		name: 'propose-plan',
		keys: ['P'],
		label: 'propose',
		help: 'let a planner agent look at the repository and propose a plan for the task',
		where: ['form'],
		when: ({desk}) => desk.purpose !== 'add',
		whyNot: ({view}) =>
			view.composition.task.trim() === ''
				? 'Write the task first; it is what is planned.'
				: undefined,
		run: context => propose(context),
	},
	{
		name: 'stop-proposing',
		keys: ['esc', 'ctrl+c'],
		label: 'stop the planner',
		help: 'stop the planner; what you wrote stays',
		where: ['proposing'],
		run: ({view}) => carryOut(view, {do: 'stop-proposing'}),
	},
];

/** What stands in the form besides the task gives way to what is proposed, so that is asked about first. */
const propose = ({desk, view}: Context): Outcome => {
	const {task} = view.composition;
	const effect = {do: 'propose', task} as const;
	return isDivided(view.composition)
		? ask(view, `Let ${desk.planner} propose a plan in place of what stands here?`, effect)
		: carryOut(view, effect);
};
