import type {Model} from '../../client/model.ts';
import {isListed, offeredHere} from '../action.ts';
import {keyRows} from '../formatting/key-rows.ts';
import type {Context, Place} from '../model/view.ts';
import {paragraph, type Row, section} from '../rows/row.ts';

/** The keys that work where the person came from; for those that don't now, why. */
export const helpRows = (
	context: Context,
	{back}: Extract<Place, {at: 'help'}>,
): readonly Row[] => {
	const {columns} = context.view.size;
	const there: Context = {...context, view: {...context.view, place: back}};
	const here = offeredHere(there).filter(isListed);
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
			worthKnowing(context.model).flatMap(sentence => paragraph(sentence, columns)),
		),
	];
};

const worthKnowing = ({mode}: Model): readonly string[] =>
	mode.kind === 'replay'
		? ['This is a recording: you can look at everything in it, and change nothing.']
		: worthKnowingLive;

const worthKnowingLive = [
	'Leaving, closing or killing the screen harms nothing: the session goes on.',
	'A key for something that has changed since you opened it does nothing, and says so.',
	'Text from elsewhere, also of several lines, can be pasted wherever you write.',
] as const;

const nameOf = (place: Place): string => (place.at === 'item' ? place.item : place.at);
