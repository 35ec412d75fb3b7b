import {insert} from '../model/draft.ts';
import {fieldsOf, textOf, withText} from './model/composition.ts';
import {ask, carryOut, fieldAt, goTo, isUnsaved, writeHere} from './model/moves.ts';
import {edited} from './model/typing.ts';
import {
	type ComposerAction,
	type Context,
	type Effect,
	type Outcome,
	only,
	type View,
	withNotice,
} from './model/view.ts';
import {planActions, plannerActions, subtaskActions} from './plan.ts';

/** How to get about in the form and in the help. */
const movingActions: readonly ComposerAction[] = [
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

/** What to do to the field that the person is at. */
const fieldActions: readonly ComposerAction[] = [
	{
		name: 'write-field',
		keys: ['enter'],
		label: 'write',
		help: 'write in this field',
		where: ['form'],
		run: ({view}) => only(writeHere(view)),
	},
	{
		name: 'next-profile',
		keys: ['p'],
		label: 'profile',
		help: 'take the next agent of the config for this subtask',
		where: ['form'],
		when: ({desk, view}) => fieldAt(view).part === 'agent' && Object.keys(desk.profiles).length > 0,
		run: context => nextProfile(context),
	},
];

const nextProfile = ({desk, view}: Context): Outcome => {
	const names = Object.keys(desk.profiles);
	const field = fieldAt(view);
	const at = names.indexOf(textOf(view.composition, field).trim());
	const name = names[(at + 1) % names.length] ?? '';
	return only({...view, composition: withText(view.composition, field, name)});
};

const stop = (view: View): View => ({...view, dialog: {kind: 'none'}});

/** Goes on writing in the next field; behind the last one there is nothing to write. */
const nextField = ({view}: Context): Outcome =>
	only(
		view.cursor + 1 < fieldsOf(view.composition).length
			? writeHere(goTo(view, view.cursor + 1))
			: stop(view),
	);

/** What a person does with what they write, and whether they mean what they are asked about. */
const writingActions: readonly ComposerAction[] = [
	{
		name: 'write-next',
		keys: ['enter', 'tab'],
		label: 'next field',
		help: 'go on writing in the next field',
		where: ['writing'],
		run: nextField,
	},
	{
		name: 'write-previous',
		keys: ['shift+tab'],
		help: 'go on writing in the previous field',
		where: ['writing'],
		run: ({view}) => only(writeHere(goTo(view, view.cursor - 1))),
	},
	{
		name: 'new-line',
		keys: ['alt+enter', 'ctrl+j'],
		label: 'new line',
		help: 'begin a new line; pasting several lines works too',
		where: ['writing'],
		run: ({view}) => {
			const {dialog} = view;
			return only(dialog.kind === 'writing' ? edited(view, insert(dialog.draft, '\n')) : view);
		},
	},
	{
		name: 'stop-writing',
		keys: ['esc', 'ctrl+c'],
		label: 'done: save, run …',
		help: 'stop writing; keys are for the plan as a whole then',
		where: ['writing'],
		run: ({view}) => only(stop(view)),
	},
	{
		name: 'take-path',
		keys: ['enter'],
		label: 'do it',
		help: 'save to, or open, the file that you named',
		where: ['path'],
		run: context => takePath(context),
	},
	{
		name: 'no-path',
		keys: ['esc', 'ctrl+c'],
		label: 'not now',
		help: 'go back to the plan',
		where: ['path'],
		run: ({view}) => only(stop(view)),
	},
	{
		name: 'yes',
		keys: ['y'],
		label: 'yes',
		help: 'yes, do it',
		where: ['confirming'],
		run: ({view}) =>
			view.dialog.kind === 'confirming' ? carryOut(stop(view), view.dialog.meant) : only(view),
	},
	{
		name: 'no',
		keys: ['n', 'esc', 'enter'],
		label: 'no',
		help: 'no, leave it as it is; so does any other key',
		where: ['confirming'],
		run: ({view}) => only(stop(view)),
	},
];

/** Opening puts a file in the place of what was written, so what is saved nowhere is asked about. */
const takePath = ({view, judgement}: Context): Outcome => {
	const {dialog} = view;
	const path = dialog.kind === 'path' ? dialog.draft.text.trim() : '';
	if (dialog.kind !== 'path' || path === '') {
		return only(withNotice(view, 'warn', 'Write the path of a file first.'));
	}

	const effect: Effect =
		dialog.wants === 'open'
			? {do: 'open', path}
			: {do: 'save', path, text: judgement.text, over: view.file};
	return effect.do === 'open' && isUnsaved(view)
		? ask(view, `What you wrote is not saved. Open ${path} in its place?`, effect)
		: carryOut(view, effect);
};

/** Everything a person can do while they compose a plan, with its keys; the first action that fits a key is the one it means. */
export const composerActions: readonly ComposerAction[] = [
	...writingActions,
	...fieldActions,
	...planActions,
	...subtaskActions,
	...plannerActions,
	...movingActions,
];
