import type {InboxItem} from '../../rules/inbox.ts';
import {whyNotTake} from '../model/decide.ts';
import {backTo, openItem} from '../model/open-item.ts';
import {
	numbersOf,
	onBy,
	picked,
	takePicked,
	takingChoice,
	toFile,
	whyNotPick,
	whyNotTakePicked,
} from '../model/pick-parts.ts';
import {isPickedFrom, type Part, type PickedFrom, type PickingInHand} from '../model/picking.ts';
import {type Action, type Context, go, type Outcome, only} from '../model/view.ts';
import {inHand, nextRival, placeOf} from '../screens/picking-rows.ts';

type Here = {readonly item: PickedFrom; readonly shown: InboxItem};

const itemHere = ({model, view}: Context): Here | undefined => {
	const open = view.place.at === 'item' ? openItem(model.state, view.place) : undefined;
	return open !== undefined && open.freshness !== 'gone' && isPickedFrom(open.item)
		? {item: open.item, shown: open.shown}
		: undefined;
};

/** What was said of a part leads on to the next one. */
const taking = (name: string, key: string, label: string, help: string, take: boolean): Action => ({
	name,
	keys: [key],
	label,
	help,
	where: ['picking'],
	whyNot: whyNotPick,
	run: context => {
		const at = inHand(context)?.at;
		const view = picked(context, at === undefined ? [] : [at.number], take);
		return onBy({...context, view}, 1);
	},
});

/** Takes what is not taken yet; where all of it is, leaves it. */
const turned = (
	context: Context,
	isWanted: (part: Part, hand: PickingInHand) => boolean,
): Outcome => {
	const hand = inHand(context);
	const parts = hand?.parts ?? [];
	const numbers = numbersOf(parts, part => hand !== undefined && isWanted(part, hand));
	return only(
		picked(
			context,
			numbers,
			numbers.some(number => parts[number]?.taken === false),
		),
	);
};

const moving = (
	name: string,
	keys: readonly string[],
	help: string,
	to: Action['run'],
): Action => ({
	name,
	keys,
	help,
	where: ['picking'],
	run: to,
});

/** How a person takes parts of an agent's work. */
export const pickingActions: readonly Action[] = [
	{
		name: 'pick-parts',
		keys: ['p'],
		label: 'parts',
		help: 'take some files or hunks of its work, and drop the others from the result',
		where: ['item'],
		when: context => itemHere(context) !== undefined,
		whyNot: context => {
			const here = itemHere(context);
			return here && whyNotTake(context, here.shown, takingChoice[here.item.kind]);
		},
		run: ({view}) =>
			only(
				view.place.at === 'item'
					? go(view, {at: 'picking', item: view.place.item, part: 0, from: view.place.from})
					: view,
			),
	},
	taking('take-part', 'y', 'take', 'take this part and go to the next one', true),
	taking('leave-part', 'n', 'leave out', 'leave this part out and go to the next one', false),
	{
		name: 'take-file',
		keys: ['f'],
		label: 'whole file',
		help: 'take all parts of this file; again: leave them out',
		where: ['picking'],
		whyNot: whyNotPick,
		run: context => turned(context, ({file}, {at}) => file === at?.part.file),
	},
	{
		name: 'take-all',
		keys: ['a'],
		label: 'all',
		help: 'take all parts of all files; again: leave them out',
		where: ['picking'],
		whyNot: whyNotPick,
		run: context => turned(context, () => true),
	},
	{
		name: 'picked-done',
		keys: ['d', 'enter'],
		label: 'done',
		help: 'put what you took into the result, or into the work of a rival, and nothing else of this work',
		where: ['picking'],
		whyNot: whyNotTakePicked,
		run: takePicked,
	},
	{
		name: 'other-work',
		keys: ['r'],
		label: 'other work',
		help: 'go to the work of the next rival; what you took of this one stays marked',
		where: ['picking'],
		when: context => nextRival(context) !== undefined,
		run: context =>
			only({...context.view, place: nextRival(context) ?? context.view.place, scroll: 0}),
	},
	moving('next-part', ['tab', ']', 'right'], 'go to the next part', context => onBy(context, 1)),
	moving('previous-part', ['shift+tab', '[', 'left'], 'go to the previous part', context =>
		onBy(context, -1),
	),
	moving('next-file-of-parts', ['}', 'J'], 'go to the next file', context => toFile(context, 1)),
	moving('previous-file-of-parts', ['{', 'K'], 'go to the previous file', context =>
		toFile(context, -1),
	),
	{
		name: 'leave-picking',
		keys: ['esc'],
		label: 'back',
		help: 'go back; what you took stays marked',
		where: ['picking'],
		run: context => {
			const place = placeOf(context);
			return only(place === undefined ? context.view : backTo(context, place));
		},
	},
];
