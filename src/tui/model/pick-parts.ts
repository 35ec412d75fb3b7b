import {inbox} from '../../rules/inbox.ts';
import {sent, whyNotDecide, whyNotTake} from './decide.ts';
import {openAt} from './open-item.ts';
import {type PickingInHand, pickedOf, pickingAt} from './picking.ts';
import {type Context, type Outcome, only, type PickingPlace} from './view.ts';

/** Returns the place where the person picks parts of a work. */
export const placeOf = ({view: {place}}: Context): PickingPlace | undefined =>
	place.at === 'picking' ? place : undefined;

/** Returns the parts that they can pick there, once these are read. */
export const inHand = (context: Context): PickingInHand | undefined => {
	const place = placeOf(context);
	const picking = place && pickingAt(context, place);
	return picking?.phase === 'ready' ? picking : undefined;
};

/** Returns why the part that the person is at can’t be picked. */
export const whyNotPick = (context: Context): string | undefined =>
	whyNotDecide(context) ??
	(inHand(context)?.at === undefined ? 'There is no part here to pick.' : undefined);

/** Takes or leaves some parts; the person stays, or goes on behind the last of them. */
export const picked = (
	context: Context,
	which: (hand: PickingInHand) => readonly number[],
	take: boolean,
): Outcome => {
	const hand = inHand(context);
	if (hand === undefined) {
		return only(context.view);
	}

	const numbers = which(hand);
	const {view} = context;
	const before = (view.picks[hand.key] ?? []).filter(number => !numbers.includes(number));
	const picks = {...view.picks, [hand.key]: take ? [...before, ...numbers] : before};
	return only({...view, picks});
};

/** Goes to a part. */
export const toPart = ({view}: Context, part: number): Outcome =>
	only(view.place.at === 'picking' ? {...view, place: {...view.place, part}, scroll: 0} : view);

/** Goes on by so many parts, no further than there are some. */
export const onBy = (context: Context, by: number): Outcome => {
	const {at, parts = []} = inHand(context) ?? {};
	return toPart(
		context,
		Math.min(Math.max(0, (at?.number ?? 0) + by), Math.max(0, parts.length - 1)),
	);
};

/** Goes to the first part of the file beside. */
export const toFile = (context: Context, by: 1 | -1): Outcome => {
	const {at, parts = []} = inHand(context) ?? {};
	const here = at?.part.place.file ?? 0;
	const files = parts.map(({place}) => place.file);
	const next = by === 1 ? files.find(file => file > here) : files.findLast(file => file < here);
	return next === undefined ? only(context.view) : toPart(context, files.indexOf(next));
};

/** Returns the numbers of all parts of the file that the person is at. */
export const partsOfFile = ({at, parts}: PickingInHand): readonly number[] =>
	numbersOf(parts, ({place}) => place.file === at?.part.place.file);

/** Returns the numbers of parts that are as wanted. */
export const numbersOf = (
	parts: PickingInHand['parts'],
	isWanted: (part: PickingInHand['parts'][number]) => boolean,
): readonly number[] => parts.flatMap((part, number) => (isWanted(part) ? [number] : []));

/** What takes a part of a work takes all of it where nothing is picked. */
export const takingChoice = {failure: 'salvage', review: 'merge'} as const;

/** Returns why what was picked can’t be taken. */
export const whyNotTakePicked = (context: Context): string | undefined => {
	const hand = inHand(context);
	const shown = inbox(context.model.state).find(({id}) => id === hand?.item.id);
	const why = hand && shown && whyNotTake(context, shown, takingChoice[hand.item.kind]);
	return (
		whyNotPick(context) ??
		why ??
		(hand?.parts.some(({taken}) => taken)
			? undefined
			: 'Nothing is picked yet; y takes what stands here.')
	);
};

/** Decides the item by what was picked. */
export const takePicked = (context: Context): Outcome => {
	const [place, hand] = [placeOf(context), inHand(context)];
	if (place === undefined || hand === undefined) {
		return only(context.view);
	}

	const {id: item, kind} = hand.item;
	const count = numbersOf(hand.parts, ({taken}) => taken).length;
	const choice = takingChoice[kind];
	return sent(
		{...context, view: openAt(context, place)},
		{
			do: 'ask',
			item,
			request: {do: 'decide', by: 'user', item, choice, picked: pickedOf(hand)},
			done: `${item}: ${choice}, ${count} of ${hand.parts.length} parts`,
		},
	);
};
