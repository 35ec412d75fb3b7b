import {emptyDraft} from '../model/draft.ts';
import {type Action, type Context, type Outcome, only} from '../model/view.ts';
import {countOfEntries, takeEntry} from '../screens/palette.ts';

const toEntry = (context: Context, by: 1 | -1): Outcome => {
	const {view} = context;
	const {dialog} = view;
	const count = countOfEntries(context);
	return only(
		dialog.kind === 'palette' && count > 0
			? {...view, dialog: {...dialog, cursor: (dialog.cursor + by + count) % count}}
			: view,
	);
};

/** How to go anywhere, and do anything, by words of it. */
export const palette: readonly Action[] = [
	{
		name: 'palette',
		keys: [':', 'ctrl+p'],
		help: 'go to an item, an agent or a file, or do anything, by words of it',
		where: ['everywhere'],
		run: ({view}) => only({...view, dialog: {kind: 'palette', draft: emptyDraft, cursor: 0}}),
	},
	{
		name: 'take-entry',
		keys: ['enter'],
		label: 'take it',
		help: 'go to what you are at, or do it',
		where: ['palette'],
		run: takeEntry,
	},
	{
		name: 'next-entry',
		keys: ['down', 'tab', 'ctrl+n'],
		label: 'next',
		help: 'go to the next one',
		where: ['palette'],
		run: context => toEntry(context, 1),
	},
	{
		name: 'previous-entry',
		keys: ['up', 'shift+tab', 'ctrl+p'],
		help: 'go to the previous one',
		where: ['palette'],
		run: context => toEntry(context, -1),
	},
];
