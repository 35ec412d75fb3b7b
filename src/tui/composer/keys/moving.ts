import {fieldsOf} from '../model/composition.ts';
import {goTo} from '../model/moves.ts';
import {type ComposerAction, type Context, type Outcome, only} from '../model/view.ts';

/** How to get about in the form and in the help. */
export const movingActions: readonly ComposerAction[] = [
	{
		name: 'next-field',
		keys: ['down', 'tab', 'j'],
		label: 'field',
		help: 'go to the next field',
		where: ['form'],
		run: ({view}) => only(goTo(view, view.cursor + 1)),
	},
	{
		name: 'previous-field',
		keys: ['up', 'shift+tab', 'k'],
		help: 'go to the previous field',
		where: ['form'],
		run: ({view}) => only(goTo(view, view.cursor - 1)),
	},
	{
		name: 'next-part',
		keys: ['pageDown', '}'],
		help: 'go to the next agent',
		where: ['form'],
		run: context => toPart(context, 1),
	},
	{
		name: 'previous-part',
		keys: ['pageUp', '{'],
		help: 'go to the previous agent',
		where: ['form'],
		run: context => toPart(context, -1),
	},
	{
		name: 'help-down',
		keys: ['down', 'j', 'pageDown', 'space'],
		label: 'scroll',
		help: 'scroll down',
		where: ['help'],
		run: ({view}) => only({...view, scroll: view.scroll + 1}),
	},
	{
		name: 'help-up',
		keys: ['up', 'k', 'pageUp'],
		help: 'scroll up',
		where: ['help'],
		run: ({view}) => only({...view, scroll: Math.max(0, view.scroll - 1)}),
	},
];

const toPart = ({view}: Context, by: 1 | -1): Outcome => {
	const starts = fieldsOf(view.composition).flatMap(({part}, index) =>
		part === 'task' || part === 'subtask' ? [index] : [],
	);
	const here = starts.findLastIndex(index => index <= view.cursor);
	return only(goTo(view, starts[Math.max(0, here + by)] ?? view.cursor));
};
