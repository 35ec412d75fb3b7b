import {defined} from '../lib/values.ts';
import type {Action, Context, Dialog, Outcome, Where} from './model/view.ts';
import {isTooSmall} from './terminal/full-screen.ts';
import {keySign} from './terminal/key-name.ts';

/** Returns the places that the person is at, the most specific first. */
export const placesOf = ({model, view}: Context): readonly Where[] => {
	if (isTooSmall(view.size)) {
		return ['too small'];
	}

	const {kind} = view.dialog;
	return kind === 'none'
		? [
				...(model.mode.kind === 'replay' ? (['recording'] as const) : []),
				view.place.at,
				'everywhere',
			]
		: [dialogPlaces[kind]];
};

const dialogPlaces = {
	confirm: 'confirming',
	note: 'writing',
	comment: 'writing',
	answer: 'writing',
	message: 'writing',
	profile: 'writing',
	search: 'searching',
	field: 'field',
	lines: 'lines',
	palette: 'palette',
	path: 'path',
	waiting: 'waiting',
	proposing: 'proposing',
} as const satisfies Readonly<Record<Exclude<Dialog['kind'], 'none'>, Where>>;

/** Returns the actions of the current place, in the order of the table. */
export const actionsHere = (context: Context): readonly Action[] =>
	context.table.filter(isHere(context));

/** Returns whether an action is available here; some `when` conditions lay out the whole view. */
const isHere = (context: Context): ((action: Action) => boolean) => {
	const places = placesOf(context);
	return ({where, when}) =>
		where.some(place => places.includes(place)) && (when === undefined || when(context));
};

/**
Returns the actions of the current place, each with the keys that trigger it.

A key triggers the first action that has it. A recording changes nothing in the session, so refused actions are not offered in it.
*/
export const offeredHere = (context: Context): readonly Action[] => {
	const here = actionsHere(context);
	const isRecording = context.model.mode.kind === 'replay';
	return here
		.map((action, index) => {
			const earlier = here.slice(0, index).flatMap(({keys}) => keys);
			return {...action, keys: action.keys.filter(key => !earlier.includes(key))};
		})
		.filter(action => action.keys.length > 0)
		.filter(action => !isRecording || action.whyNot?.(context) === undefined);
};

export const actionFor = (context: Context, key: string): Action | undefined =>
	context.table.filter(({keys}) => keys.includes(key)).find(isHere(context));

/** Returns whether an action is listed: numbered ones only once, and the reply to an obsolete key not at all. */
export const isListed = ({name}: Pick<Action, 'name'>): boolean =>
	!/-[2-9]$/.test(name) && name !== 'gone';

/** Returns the key of an action, in the form for people. */
export const actionKey = (
	{table}: {readonly table: readonly Pick<Action, 'name' | 'keys'>[]},
	action: string,
): string => keySign(table.find(({name}) => name === action)?.keys[0] ?? '');

/** Returns actions that do the same by other amounts, a row each. */
export const byAmount = <Amount>(
	where: readonly Where[],
	run: (context: Context, by: Amount) => Outcome,
	rows: readonly (readonly [
		name: string,
		keys: readonly string[],
		help: string,
		by: Amount,
		label?: string,
	])[],
	more: Pick<Action, 'when'> = {},
): readonly Action[] =>
	rows.map(([name, keys, help, by, label]) => ({
		...{name, keys, help, where, ...more, ...defined({label})},
		run: context => run(context, by),
	}));

/** Returns an action for each of the keys 1 to 9. */
export const numbered = (
	name: string,
	action: (number: number) => Omit<Action, 'name' | 'keys'>,
): readonly Action[] =>
	[1, 2, 3, 4, 5, 6, 7, 8, 9].map(number => ({
		name: `${name}-${number}`,
		keys: [`${number}`],
		...action(number),
	}));
