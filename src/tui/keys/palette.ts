import {byAmount} from '../action.ts';
import {type Action, type Context, inPalette, type Outcome} from '../model/view.ts';
import {entryBeside, takeEntry} from '../screens/palette.ts';

const toEntry = (context: Context, by: 1 | -1): Outcome => {
	const {view} = context;
	const {dialog} = view;
	return dialog.kind === 'palette'
		? {...view, dialog: {...dialog, chosen: entryBeside(context, by)}}
		: view;
};

/** Action that opens the palette, which finds places and actions by words. */
export const palette: readonly Action[] = [
	{
		...{name: 'palette', keys: [':', 'ctrl+p']},
		help: 'go to an item, an agent, a file or a session that has ended, or run any command, by part of its name',
		where: ['everywhere'],
		run: ({view}) => inPalette(view, 'all'),
	},
	{
		...{name: 'take-entry', keys: ['enter'], label: 'take it'},
		help: 'go to the selected entry, or run it; a folder or file is added to the scope, or removed from it',
		where: ['palette'],
		run: takeEntry,
	},
	...byAmount(['palette'], toEntry, [
		['next-entry', ['down', 'tab', 'ctrl+n'], 'go to the next one', 1, 'next'],
		['previous-entry', ['up', 'shift+tab', 'ctrl+p'], 'go to the previous one', -1],
	]),
];
