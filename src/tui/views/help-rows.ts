import {type Action, actionsHere} from '../action.ts';
import {keyRows} from '../rows/key-rows.ts';
import {paragraph, type Row, section} from '../rows/row.ts';
import type {Context, Place} from '../view/view.ts';

/** The keys that work where the person came from; for those that don't now, why. */
export const helpRows = (
	context: Context,
	{back}: Extract<Place, {at: 'help'}>,
): readonly Row[] => {
	const {columns} = context.view.size;
	const there: Context = {...context, view: {...context.view, place: back}};
	const here = firstOfEach(actionsHere(there));
	const own = here.filter(({where}) => !where.includes('everywhere'));
	return [
		...section(
			`Here (${nameOf(back)})`,
			own.flatMap(action => keyRows(there, action, columns)),
		),
		...section(
			'Everywhere',
			here
				.filter(action => !own.includes(action))
				.flatMap(action => keyRows(there, action, columns)),
		),
		...section(
			'Good to know',
			worthKnowing.flatMap(sentence => paragraph(sentence, columns)),
		),
	];
};

const worthKnowing = [
	'Leaving, closing or killing the screen harms nothing: the session goes on.',
	'A key for something that has changed since you opened it does nothing, and says so.',
	'Text from elsewhere, also of several lines, can be pasted wherever you write.',
] as const;

/** Where two actions share a key, only the first can be reached; numbered ones are told once. */
const firstOfEach = (actions: readonly Action[]): readonly Action[] =>
	actions.filter(
		(action, index) =>
			!/-[2-9]$/.test(action.name) &&
			action.name !== 'gone' &&
			action.keys.some(key => actions.findIndex(({keys}) => keys.includes(key)) === index),
	);

const nameOf = (place: Place): string => (place.at === 'item' ? place.item : place.at);
