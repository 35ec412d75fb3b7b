import {counted} from '../../lib/text/words.ts';
import type {InboxItem, ShownChoice} from '../../rules/inbox.ts';
import {actionKey} from '../action.ts';
import {choiceRows, choiceWords, listedName} from '../formatting/choice-rows.ts';
import {whyNotTake} from '../model/decide.ts';
import type {Context, ItemPlace} from '../model/view.ts';
import {offeredBy, type WayOut, waysOf} from '../model/ways.ts';
import {fitted, type Row, span} from '../rows/row.ts';
import {padded, widthOf} from '../rows/text.ts';

type Marks = Pick<ItemPlace, 'cursor' | 'marked'>;

/** Returns the choices of an item, unavailable ones greyed with the reason; if not all fit, those of groups without the cursor are shown as the group's name. */
export const choicesView = (
	context: Context,
	place: Marks,
	shown: InboxItem,
	height: number,
): readonly Row[] => {
	const ways = waysOf(context.model.state, shown.id);
	const all = listRows(context, place, shown, () => true);
	const isHere = ({choices}: WayOut) => choices.includes(place.cursor ?? ways[0]?.choices[0] ?? -1);
	const list = all.length <= height ? all : listRows(context, place, shown, isHere);
	const above = Math.max(
		0,
		list.findIndex(({at}) => at === (place.cursor ?? -1)),
	);
	const offset = Math.max(0, Math.min(above - Math.floor(height / 2), list.length - height));
	return fitted(
		list.map(({cells}) => cells),
		height,
		offset,
	);
};

/** A row of the list, and the index of its choice. */
type ListRow = {readonly cells: Row; readonly at: number | undefined};

const listRows = (
	context: Context,
	place: Marks,
	shown: InboxItem,
	isOpen: (way: WayOut) => boolean,
): readonly ListRow[] => {
	const ways = waysOf(context.model.state, shown.id);
	const wide = Math.max(...ways.map(({name = ''}) => widthOf(name)));
	return ways.flatMap((way, index) => {
		const number = index < 9 ? `${index + 1}` : '';
		const [first = 0, ...more] = way.choices;
		if (more.length === 0) {
			return rowsOf(context, place, shown, {at: first, number, way, wide});
		}

		const listed = isOpen(way);
		const heading = [
			span(` ${padded(number, 3)}`, 'key'),
			span(padded(way.name ?? '', wide), 'strong'),
			span(listed ? '' : `  ${counted(way.choices.length, 'choice')}`, 'dim'),
		];
		return [
			{cells: heading, at: undefined},
			...(listed
				? way.choices.flatMap(at => rowsOf(context, place, shown, {at, number: '', way, wide}))
				: []),
		];
	});
};

/** Maximum columns of a choice's name before the text beside it. */
const widestColumn = 30;

type Listed = {
	readonly at: number;
	/** Key of its group, if it stands for the whole group. */
	readonly number: string;
	readonly way: WayOut;
	/** Columns of the groups' names. */
	readonly wide: number;
};

const rowsOf = (
	context: Context,
	place: Marks,
	shown: InboxItem,
	{at, number, way, wide}: Listed,
): readonly ListRow[] => {
	const {choice = '', label = ''} = shown.choices[at] ?? {};
	const {state} = context.model;
	const refused = whyNotTake(context, shown, choice);
	const isHere = place.cursor === at;
	const mark = place.marked.includes(choice) ? '■' : place.marked.length > 0 ? '□' : '';
	const isAlone = way.choices.length === 1;
	const words = choiceWords(state, shown.kind, {choice, label});
	const {columns} = context.view.size;
	const nameOf = (one: ShownChoice) => listedName(state, shown.kind, one, columns);
	const name = way.name === undefined ? nameOf({choice, label}) : isAlone ? way.name : words;
	const widths = shown.choices.map(one => widthOf(nameOf(one)));
	const column =
		way.name === undefined ? Math.max(...widths.filter(width => width <= widestColumn)) : wide;
	const told = way.name === undefined ? label : words;
	const isTold = name === words || name === told;
	const beside = refused === undefined ? (isTold ? '' : told) : `unavailable: ${refused}`;
	const tone = refused === undefined ? 'plain' : 'dim';
	return choiceRows(
		[
			span(isHere ? '▸' : ' ', 'key'),
			span(
				padded(isAlone ? keyFor(context, shown, at, number) : '', isAlone ? 3 : 5),
				refused === undefined ? 'key' : 'dim',
			),
			span(mark === '' ? '' : `${mark} `, 'strong'),
			span(name, isHere ? 'selected' : refused === undefined ? 'strong' : 'dim'),
		],
		beside === ''
			? []
			: [span(`${' '.repeat(2 + Math.max(0, column - widthOf(name)))}${beside}`, tone)],
		columns,
	).map(cells => ({cells, at}));
};

/** Returns the key of a choice: that of its verb if no other choice has it, otherwise its number. */
const keyFor = (context: Context, {id}: InboxItem, index: number, number: string): string => {
	const {state} = context.model;
	const offered = offeredBy(state, id);
	const {verb = 'answer'} = offered[index] ?? {};
	const same = offered.filter(other => other.verb === verb);
	// On the board, an action of the same name may have another effect.
	const table = context.table.filter(({where}) => where.includes('item'));
	const own = same.length === 1 ? actionKey({table}, verb) : '';
	// During a search, its keys take precedence over the verb's.
	const isTaken = context.view.find.row !== undefined && own === actionKey(context, 'find-next');
	const key = isTaken ? '' : own;
	return key === '' ? number : key;
};
