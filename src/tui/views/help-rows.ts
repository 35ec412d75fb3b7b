import {type Action, actionsHere} from '../action.ts';
import {keySign} from '../key-name.ts';
import {type Row, row, section, span} from '../rows/row.ts';
import type {Context, Place} from '../view/view.ts';

/** The keys that work where the person came from; for those that don't now, why. */
export const helpRows = (
	context: Context,
	{back}: Extract<Place, {at: 'help'}>,
): readonly Row[] => {
	const there: Context = {...context, view: {...context.view, place: back}};
	const here = firstOfEach(actionsHere(there));
	const own = here.filter(({where}) => !where.includes('everywhere'));
	return [
		...section(
			`Here (${nameOf(back)})`,
			own.map(action => helpRow(there, action)),
		),
		...section(
			'Everywhere',
			here.filter(action => !own.includes(action)).map(action => helpRow(there, action)),
		),
		...section('Good to know', [
			row('Leaving, closing or killing the screen harms nothing: the session goes on.'),
			row('A key for something that has changed since you opened it does nothing, and says so.'),
			row('Text with the mouse, or several lines, can be pasted wherever you write.'),
		]),
	];
};

/** Where two actions share a key, only the first can be reached; numbered ones are told once. */
const firstOfEach = (actions: readonly Action[]): readonly Action[] =>
	actions.filter(
		(action, index) =>
			!/-[2-9]$/.test(action.name) &&
			action.name !== 'gone' &&
			action.keys.some(key => actions.findIndex(({keys}) => keys.includes(key)) === index),
	);

const helpRow = (context: Context, {keys, help, whyNot}: Action): Row => {
	const refused = whyNot?.(context);
	const shown = /^\d$/.test(keys[0] ?? '') ? '1–9' : keys.map(keySign).join(' ');
	return [
		span(`  ${shown}`.padEnd(16), refused === undefined ? 'key' : 'dim'),
		span(help, refused === undefined ? 'plain' : 'dim'),
		...(refused === undefined ? [] : [span(`  (not now: ${refused})`, 'dim')]),
	];
};

const nameOf = (place: Place): string => (place.at === 'item' ? place.item : place.at);
