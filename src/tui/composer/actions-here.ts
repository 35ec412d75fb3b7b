import {isTooSmall} from '../terminal/full-screen.ts';
import type {ComposerAction, Context, Where} from './model/view.ts';

/** Returns where a person is, as the table of keys names it. */
const whereOf = ({view: {size, dialog, place}}: Context): Where =>
	isTooSmall(size) ? 'too small' : dialog.kind === 'none' ? place : dialog.kind;

/** Returns what can be done where the person is, in the order of the table. */
export const actionsHere = (context: Context): readonly ComposerAction[] => {
	const here = whereOf(context);
	return context.table.filter(
		({where, when}) => where.includes(here) && (when === undefined || when(context)),
	);
};

/** Returns what a key means where the person is. */
export const actionFor = (context: Context, key: string): ComposerAction | undefined =>
	actionsHere(context).find(({keys}) => keys.includes(key));
