import {textOf, withText} from '../model/composition.ts';
import {fieldAt, writeHere} from '../model/moves.ts';
import {type ComposerAction, type Context, type Outcome, only} from '../model/view.ts';

/** What to do to the field that the person is at. */
export const fieldActions: readonly ComposerAction[] = [
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
