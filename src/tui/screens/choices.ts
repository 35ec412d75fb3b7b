import {choicesOf} from '../../rules/commands/choices.ts';
import type {InboxItem, ShownChoice} from '../../rules/inbox.ts';
import {itemOf} from '../../state/select.ts';
import {actionKey} from '../action.ts';
import {choiceName, choiceRows} from '../formatting/choice-rows.ts';
import {whyNotTake} from '../model/decide.ts';
import type {Context, ItemPlace} from '../model/view.ts';
import {fitted, type Row, span} from '../rows/row.ts';
import {padded, widthOf} from '../rows/text.ts';

type Marks = Pick<ItemPlace, 'cursor' | 'marked'>;

/** Returns the ways to decide an item, those that can't be taken now greyed, with why. */
export const choicesView = (
	context: Context,
	place: Marks,
	shown: InboxItem,
	height: number,
): readonly Row[] => {
	const rows = shown.choices.map((_, index) => rowsOf(context, place, shown, index));
	const above = rows.slice(0, place.cursor ?? 0).flat().length;
	const offset = Math.max(0, Math.min(above - Math.floor(height / 2), rows.flat().length - height));
	return fitted(rows.flat(), height, offset);
};

/** A choice that is wider doesn't move what stands beside the others. */
const widestColumn = 30;

const rowsOf = (
	context: Context,
	place: Marks,
	shown: InboxItem,
	index: number,
): readonly Row[] => {
	const {choice = '', label = ''} = shown.choices[index] ?? {};
	const refused = whyNotTake(context, shown, choice);
	const isHere = place.cursor === index;
	const mark = place.marked.includes(choice) ? '■' : place.marked.length > 0 ? '□' : '';
	const nameOf = (one: ShownChoice) => choiceName(context.model.state, shown.kind, one);
	const name = nameOf({choice, label});
	const beside =
		refused === undefined
			? name === choice && label !== choice
				? label
				: ''
			: `unavailable: ${refused}`;
	const widths = shown.choices.map(one => widthOf(nameOf(one)));
	const wide = Math.max(...widths.filter(width => width <= widestColumn));
	const tone = refused === undefined ? 'plain' : 'dim';
	return choiceRows(
		[
			span(isHere ? '▸' : ' ', 'key'),
			span(padded(keyFor(context, shown, index), 3), refused === undefined ? 'key' : 'dim'),
			span(mark === '' ? '' : `${mark} `, 'strong'),
			span(name, isHere ? 'selected' : refused === undefined ? 'strong' : 'dim'),
		],
		beside === ''
			? []
			: [span(`${' '.repeat(2 + Math.max(0, wide - widthOf(name)))}${beside}`, tone)],
		context.view.size.columns,
	);
};

/** A verb that only one choice has is a key; everything else is gone to by its number. */
const keyFor = (context: Context, {id}: InboxItem, index: number): string => {
	const {state} = context.model;
	const item = itemOf(state, id);
	const offered = item === undefined ? [] : choicesOf(state, item);
	const {verb = 'answer'} = offered[index] ?? {};
	const same = offered.filter(other => other.verb === verb);
	// On the board, an action of the same name may do something else.
	const table = context.table.filter(({where}) => where.includes('item'));
	const own = same.length === 1 ? actionKey({table}, verb) : '';
	// While somebody looks for words, a key of those is not the verb's.
	const isTaken = context.view.find.row !== undefined && own === actionKey(context, 'find-next');
	const key = isTaken ? '' : own;
	return key === '' && index < 9 ? `${index + 1}` : key;
};
