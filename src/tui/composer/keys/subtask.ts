import {firstAgent} from '../desk.ts';
import {fieldsOf, maximumSubtasks, textOf, withSubtask} from '../model/composition.ts';
import {ask, carryOut, fieldAt, goTo, writeHere} from '../model/moves.ts';
import {type ComposerAction, type Context, type Outcome, only} from '../model/view.ts';

/** How agents come into a plan, and out of it. */
export const subtaskActions: readonly ComposerAction[] = [
	{
		name: 'add-subtask',
		keys: ['+'],
		label: 'add',
		help: 'add a subtask for one more agent',
		where: ['form'],
		when: ({desk}) => desk.purpose !== 'add',
		whyNot: ({view}) =>
			view.composition.subtasks.length < maximumSubtasks
				? undefined
				: `At most ${maximumSubtasks} agents work at once, so a plan is composed for no more.`,
		run: ({desk, view}) => {
			const composition = withSubtask(view.composition, firstAgent(desk));
			const first = fieldsOf(view.composition).length;
			return only(writeHere(goTo({...view, composition}, first)));
		},
	},
	{
		name: 'remove-subtask',
		keys: ['-'],
		label: 'remove',
		help: 'take the subtask that you are at out of the plan',
		where: ['form'],
		when: ({desk, view}) => desk.purpose !== 'add' && fieldAt(view).agent !== undefined,
		whyNot: ({view}) =>
			view.composition.subtasks.length === 1 ? 'A plan has at least one agent.' : undefined,
		run: context => removeSubtask(context),
	},
];

/** What somebody has written is not taken out with one key. */
const removeSubtask = ({desk, view}: Context): Outcome => {
	const {agent} = fieldAt(view);
	const subtask = agent === undefined ? undefined : view.composition.subtasks[agent];
	if (agent === undefined || subtask === undefined) {
		return only(view);
	}

	const isWritten = fieldsOf(view.composition)
		.filter(field => field.agent === agent)
		.some(field => !['', firstAgent(desk)].includes(textOf(view.composition, field)));
	const removal = {do: 'remove', agent} as const;
	return isWritten
		? ask(view, `Take ${subtask.id}, with what is written in it, out of the plan?`, removal)
		: carryOut(view, removal);
};
