import {inbox} from '../../rules/inbox.ts';
import {inHand, placeOf, takenBeside} from '../screens/picking-rows.ts';
import {confirmed, sent, whyNotTake} from './decide.ts';
import {inRecording, openAt} from './open-item.ts';
import {type PickingInHand, pickedOf, pickingAt, placesBeside} from './picking.ts';
import {type Context, type Outcome, only, type View} from './view.ts';

/** Returns why the part that the person is at can’t be picked. */
export const whyNotPick = (context: Context): string | undefined =>
	inRecording(context) ??
	(inHand(context)?.at === undefined ? 'There is no part here to pick.' : undefined);

/** Takes or leaves some parts. */
export const picked = (context: Context, numbers: readonly number[], take: boolean): View => {
	const {view} = context;
	const {key} = inHand(context) ?? {};
	if (key === undefined) {
		return view;
	}

	const before = (view.picks[key] ?? []).filter(number => !numbers.includes(number));
	return {...view, picks: {...view.picks, [key]: take ? [...before, ...numbers] : before}};
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
	const here = at?.part.picked.file ?? 0;
	const files = parts.map(({picked}) => picked.file);
	const next = by === 1 ? files.find(file => file > here) : files.findLast(file => file < here);
	return next === undefined ? only(context.view) : toPart(context, files.indexOf(next));
};

/** Returns the numbers of parts that are as wanted. */
export const numbersOf = (
	parts: PickingInHand['parts'],
	isWanted: (part: PickingInHand['parts'][number]) => boolean,
): readonly number[] => parts.flatMap((part, number) => (isWanted(part) ? [number] : []));

/** What takes a part of a work takes all of it where nothing is picked. */
export const takingChoice = {failure: 'salvage', review: 'merge'} as const;

/** Returns the works of which something is picked, that of the place first. */
const handsWithParts = (context: Context): readonly PickingInHand[] => {
	const place = placeOf(context);
	return (place === undefined ? [] : placesBeside(context.model.state, place))
		.map(one => pickingAt(context, one))
		.filter(hand => hand.phase === 'ready')
		.filter(({parts}) => parts.some(({taken}) => taken));
};

/** What takes the parts of a work: into the result, or into the work of a rival. */
const choiceFor = ({item, agent}: PickingInHand): string =>
	item.agent === agent ? takingChoice[item.kind] : `merge-with:${agent}`;

/** Returns why what was picked can’t be taken. */
export const whyNotTakePicked = (context: Context): string | undefined => {
	const hand = inHand(context);
	const shown = inbox(context.model.state).find(({id}) => id === hand?.item.id);
	const why = hand && shown && whyNotTake(context, shown, choiceFor(hand));
	const unread = takenBeside(context).find(({isRead}) => !isRead);
	return (
		whyNotPick(context) ??
		why ??
		(unread && `The work of ${unread.agent}, of which you took parts, is still being read.`) ??
		(handsWithParts(context).length > 0
			? undefined
			: 'Nothing is picked yet; y takes what stands here.')
	);
};

/** Decides the item by what was picked; beside parts of a rival all of the item's own work comes in, so that has to have been seen. */
export const takePicked = (context: Context): Outcome => {
	const place = placeOf(context);
	const [first, ...others] = handsWithParts(context);
	if (place === undefined || first === undefined) {
		return only(context.view);
	}

	const {item, agent} = first;
	const choice = choiceFor(first);
	const also = others.map(hand => ({...pickedOf(hand), agent: hand.agent}));
	const picked = {...pickedOf(first), ...(also.length === 0 ? {} : {also})};
	const effect = {
		do: 'ask',
		item: item.id,
		request: {do: 'decide', by: 'user', item: item.id, choice, picked},
		done: `${item.id}: ${choice}, ${[first, ...others].map(countText).join(', ')}`,
	} as const;
	const there = {...context, view: openAt(context, place)};
	return item.agent === agent ? sent(there, effect) : confirmed(there, item, 'merge-with', effect);
};

const countText = ({agent, parts}: PickingInHand): string =>
	`${numbersOf(parts, ({taken}) => taken).length} of ${parts.length} parts of ${agent}`;
