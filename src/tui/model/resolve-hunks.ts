import type {Step} from '../../rules/by-hand/steps.ts';
import {inbox} from '../../rules/inbox.ts';
import {decide, whyNotTake} from './decide.ts';
import {byHandRequest, type HunksInHand, hunksAt, toHunks} from './hunks.ts';
import {inRecording} from './not-live.ts';
import {openAt} from './open-item.ts';
import {type Context, type HunksPlace, type Outcome, only, withNotice} from './view.ts';

/** Returns the place of hunks that the person is at. */
export const placeOf = ({view: {place}}: Context): HunksPlace | undefined =>
	place.at === 'hunks' ? place : undefined;

/** Returns the hunks that they can settle there, once these are read. */
export const inHand = (context: Context): HunksInHand | undefined => {
	const place = placeOf(context);
	const hunks = place && hunksAt(context, place);
	return hunks?.phase === 'ready' ? hunks : undefined;
};

/** Why nothing can be done to hunks now. */
export const whyNotResolve = (context: Context): string | undefined =>
	inRecording(context) ??
	(inHand(context) === undefined ? 'The hunks are not there yet.' : undefined);

/** Returns why nothing can be done to the hunk that the person is at. */
export const whyNotHunk = (context: Context): string | undefined => {
	const why = whyNotResolve(context);
	const hunks = inHand(context);
	return why ?? (hunks?.at === undefined ? 'There is no hunk here to settle.' : undefined);
};

/** Does something to the hunk that the person is at, and asks to keep it. */
export const stepped = (context: Context, step: (number: number) => Step): Outcome => {
	const {view} = context;
	const [place, hunks] = [placeOf(context), inHand(context)];
	if (place === undefined || hunks === undefined) {
		return only(view);
	}

	const taken = step(hunks.at?.number ?? 0);
	const request = byHandRequest(view, hunks, [taken]);
	const next = {
		...view,
		place: {...place, hunk: hunks.at?.number},
		steps: {...view.steps, [hunks.item.id]: {look: view.looks, steps: request.steps}},
	};
	const again = hunksAt({...context, view: next}, next.place).phase === 'reading';
	return {view: next, effects: [{do: 'keep', request, again}]};
};

/** Returns why the conflict can’t be decided so. */
export const whyNotChoose = (context: Context, choice: string): string | undefined => {
	const shown = inbox(context.model.state).find(({id}) => id === placeOf(context)?.item);
	return shown === undefined ? undefined : whyNotTake(context, shown, choice);
};

/** Decides the conflict, once all that was done to its hunks is kept. */
export const decided = (context: Context, choice: string): Outcome => {
	const [place, hunks] = [placeOf(context), inHand(context)];
	if (place === undefined || hunks === undefined) {
		return only(context.view);
	}

	const first = byHandRequest(context.view, hunks);
	const {view, effects} = decide({...context, view: openAt(context, place)}, choice);
	return {
		view: effects.length === 0 ? {...context.view, notice: view.notice} : view,
		effects: effects.map(effect =>
			effect.do === 'ask' && first.steps.length > 0 ? {...effect, first} : effect,
		),
	};
};

/** Returns why the file can’t be taken yet. */
export const whyNotDone = (context: Context): string | undefined => {
	const hunks = inHand(context);
	const open = hunks?.unresolved.length ?? 0;
	if (hunks !== undefined && open > 0) {
		return `${open} of ${hunks.file.hunks.length} hunks ${open === 1 ? 'is' : 'are'} unresolved; n goes to the next one.`;
	}

	return whyNotResolve(context) ?? whyNotChoose(context, 'done');
};

/** Goes to a hunk of the same file. */
export const toHunk = (context: Context, number: number | undefined): Outcome => {
	const place = placeOf(context);
	return only(
		place === undefined || number === undefined
			? context.view
			: {...context.view, place: {...place, hunk: number}, scroll: 0},
	);
};

/** Goes round: behind the last unresolved hunk comes the first one. */
export const toUnresolved = (context: Context, by: 1 | -1): Outcome => {
	const hunks = inHand(context);
	const [here, open] = [hunks?.at?.number ?? 0, hunks?.unresolved ?? []];
	const next =
		by === 1
			? (open.find(number => number > here) ?? open[0])
			: (open.findLast(number => number < here) ?? open.at(-1));
	return next === undefined
		? only(withNotice(context.view, 'info', 'No hunk of this file is unresolved.'))
		: toHunk(context, next);
};

/** Goes to the hunk beside, settled or not. */
export const toNeighbour = (context: Context, by: 1 | -1): Outcome => {
	const hunks = inHand(context);
	const last = (hunks?.file.hunks.length ?? 1) - 1;
	return toHunk(context, Math.min(Math.max(0, (hunks?.at?.number ?? 0) + by), last));
};

/** Each conflict is one file; the next one is resolved by hand, too, only when the person says so there. */
export const toFile = (context: Context, by: 1 | -1): Outcome => {
	const {view, model} = context;
	const place = placeOf(context);
	const conflicts = model.state.items.filter(item => item.kind === 'conflict');
	const here = conflicts.findIndex(({id}) => id === place?.item);
	const next = conflicts[(here + by + conflicts.length) % conflicts.length];
	return place === undefined || next === undefined || conflicts.length < 2
		? only(withNotice(view, 'info', 'There is no other file that collides.'))
		: next.manual.phase === 'none'
			? only(openAt(context, {item: next.id, from: place.from}))
			: only(toHunks(view, {item: next.id, from: place.from}));
};

/** Changes what is shown of the hunk. */
export const show = (
	context: Context,
	part: Partial<Pick<HunksPlace, 'shows' | 'withBase'>>,
): Outcome => {
	const place = placeOf(context);
	return only(
		place === undefined ? context.view : {...context.view, place: {...place, ...part}, scroll: 0},
	);
};
