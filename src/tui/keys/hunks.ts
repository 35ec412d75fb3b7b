import type {Step, Take} from '../../rules/by-hand/steps.ts';
import {inbox} from '../../rules/inbox.ts';
import {fileFolderClashIn} from '../../state/items/conflict/breakage.ts';
import {decide, whyNotTake} from '../model/decide.ts';
import {byHandRequest, type HunksInHand, hunksAt, toHunks} from '../model/hunks.ts';
import {backTo, inRecording, openAt} from '../model/open-item.ts';
import {
	type Action,
	type Context,
	type HunksPlace,
	type Outcome,
	only,
	withNotice,
} from '../model/view.ts';

/** Returns the place of hunks that the person is at. */
const placeOf = ({view: {place}}: Context): HunksPlace | undefined =>
	place.at === 'hunks' ? place : undefined;

/** Returns the hunks that they can settle there, once these are read. */
const inHand = (context: Context): HunksInHand | undefined => {
	const place = placeOf(context);
	const hunks = place && hunksAt(context, place);
	return hunks?.phase === 'ready' ? hunks : undefined;
};

/** Why nothing can be done to hunks now. */
const whyNotResolve = (context: Context): string | undefined =>
	inRecording(context) ??
	(inHand(context) === undefined ? 'The hunks are not there yet.' : undefined);

/** Returns why nothing can be done to the hunk that the person is at. */
const whyNotHunk = (context: Context): string | undefined => {
	const why = whyNotResolve(context);
	const hunks = inHand(context);
	return why ?? (hunks?.at === undefined ? 'There is no hunk here to settle.' : undefined);
};

/** Does something to the hunk that the person is at, and asks to keep it. */
const stepped = (context: Context, step: (number: number) => Step): Outcome => {
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
const whyNotChoose = (context: Context, choice: string): string | undefined => {
	const shown = inbox(context.model.state).find(({id}) => id === placeOf(context)?.item);
	return shown === undefined ? undefined : whyNotTake(context, shown, choice);
};

/** Decides the conflict, once all that was done to its hunks is kept. */
const decided = (context: Context, choice: string): Outcome => {
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
const whyNotDone = (context: Context): string | undefined => {
	const hunks = inHand(context);
	const open = hunks?.unresolved.length ?? 0;
	if (hunks !== undefined && open > 0) {
		return `${open} of ${hunks.file.hunks.length} hunks ${open === 1 ? 'is' : 'are'} unresolved; n goes to the next one.`;
	}

	return whyNotResolve(context) ?? whyNotChoose(context, 'done');
};

/** Goes to a hunk of the same file. */
const toHunk = (context: Context, number: number | undefined): Outcome => {
	const place = placeOf(context);
	return only(
		place === undefined || number === undefined
			? context.view
			: {...context.view, place: {...place, hunk: number}, scroll: 0},
	);
};

/** Goes round: behind the last unresolved hunk comes the first one. */
const toUnresolved = (context: Context, by: 1 | -1): Outcome => {
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
const toNeighbour = (context: Context, by: 1 | -1): Outcome => {
	const hunks = inHand(context);
	const last = (hunks?.file.hunks.length ?? 1) - 1;
	return toHunk(context, Math.min(Math.max(0, (hunks?.at?.number ?? 0) + by), last));
};

/** Each conflict is one file; the next one is resolved by hand, too, only when the person says so there. */
const toFile = (context: Context, by: 1 | -1): Outcome => {
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
const show = (context: Context, part: Partial<Pick<HunksPlace, 'shows' | 'withBase'>>): Outcome => {
	const place = placeOf(context);
	return only(
		place === undefined ? context.view : {...context.view, place: {...place, ...part}, scroll: 0},
	);
};

const taking = (name: string, key: string, label: string, help: string, take: Take): Action => ({
	name,
	keys: [key],
	label,
	help,
	where: ['hunks'],
	whyNot: whyNotHunk,
	run: context => stepped(context, hunk => ({do: 'pick', hunk, pick: {take}})),
});

/** A side of a file without hunks is taken as a whole, which decides the conflict. */
const takingSide = (name: string, key: string, side: 'a' | 'b', help: string): Action => {
	const take = side === 'a' ? 'left' : 'right';
	const action = taking(name, key, take, help, take);
	const isWhole = (context: Context) => inHand(context)?.file.whole === true;
	const choice = (context: Context) => `choose-one:${inHand(context)?.item[side].join('+')}`;
	return {
		...action,
		whyNot: context =>
			isWhole(context) ? whyNotChoose(context, choice(context)) : whyNotHunk(context),
		run: context => (isWhole(context) ? decided(context, choice(context)) : action.run(context)),
	};
};

/** Opens the whole file, once all that was done to its hunks is kept. */
const openFile = (context: Context, how: 'in the editor' | 'in the merge tool'): Outcome => {
	const hunks = inHand(context);
	const {view} = context;
	if (hunks === undefined || hunks.item.manual.phase !== 'open') {
		return only(view);
	}

	const {a, b, path} = hunks.item;
	const {folder} = hunks.item.manual;
	const version = (side: string): string => `${folder}/${side}/${path}`;
	const versions = {
		base: version('base'),
		ours: version(a.join('+')),
		theirs: version(b.join('+')),
	};
	const first = byHandRequest(view, hunks);
	return {
		view,
		effects: [
			{
				do: 'edit',
				file: version('files'),
				...(how === 'in the merge tool' ? {versions} : {}),
				...(first.steps.length > 0 ? {first} : {}),
			},
		],
	};
};

/** How a person settles a conflict hunk by hunk. */
export const hunkActions: readonly Action[] = [
	takingSide(
		'take-left',
		'l',
		'a',
		'take the left side of this hunk; of a file without hunks, all of it',
	),
	takingSide(
		'take-right',
		'r',
		'b',
		'take the right side of this hunk; of a file without hunks, all of it',
	),
	taking('take-both', 'L', 'both', 'take both sides, the left one first', 'left-right'),
	{
		name: 'next-unresolved',
		keys: ['n'],
		label: 'next',
		help: 'go to the next unresolved hunk',
		where: ['hunks'],
		run: context => toUnresolved(context, 1),
	},
	{
		name: 'undo-step',
		keys: ['u'],
		label: 'undo',
		help: 'take back what was done last to this file, step by step',
		where: ['hunks'],
		whyNot: context =>
			whyNotResolve(context) ??
			(inHand(context)?.standing.undoable === 0 ? 'Nothing was done to this file yet.' : undefined),
		run: context => stepped(context, () => ({do: 'undo'})),
	},
	{
		name: 'hunks-done',
		keys: ['d', 'enter'],
		label: 'done',
		help: 'take the file as it is, once no hunk is unresolved; all is put together and checked again with it',
		where: ['hunks'],
		whyNot: whyNotDone,
		run: context => decided(context, 'done'),
	},
	{
		name: 'edit-hunk',
		keys: ['e'],
		label: 'edit',
		help: 'edit this hunk alone in your editor, the one in $VISUAL or $EDITOR',
		where: ['hunks'],
		whyNot: whyNotHunk,
		run: context => {
			const hunks = inHand(context);
			if (hunks?.at === undefined) {
				return only(context.view);
			}

			const {number} = hunks.at;
			const request = byHandRequest(context.view, hunks);
			const [lay, take] = [
				{...request, lay: number},
				{...request, take: number},
			];
			return {...toHunk(context, number), effects: [{do: 'edit-hunk', lay, take}]};
		},
	},
	taking('take-base', 'b', 'base', 'take neither: what stood there before', 'base'),
	taking(
		'take-both-turned',
		'R',
		'both, right first',
		'take both sides, the right one first',
		'right-left',
	),
	{
		name: 'trail',
		keys: ['t'],
		label: 'who wrote it',
		help: 'see which snapshots brought these lines, what the agents said then and what you had answered; again: the hunk',
		where: ['hunks'],
		whyNot: whyNotHunk,
		run: context => show(context, {shows: placeOf(context)?.shows === 'trail' ? 'hunk' : 'trail'}),
	},
	{
		name: 'show-base',
		keys: ['v'],
		label: 'show base',
		help: 'show what stood there before between the sides; again: hide it',
		where: ['hunks'],
		run: context => show(context, {withBase: placeOf(context)?.withBase !== true}),
	},
	{
		name: 'edit-file',
		keys: ['E'],
		label: 'whole file',
		help: 'open the whole file in your editor, marks of unresolved hunks included',
		where: ['hunks'],
		whyNot: context => {
			const item = inHand(context)?.item;
			return (
				whyNotResolve(context) ??
				(item !== undefined && fileFolderClashIn(item) !== undefined && item.manual.phase === 'open'
					? `What is to be renamed lies in ${item.manual.folder}/files.`
					: undefined)
			);
		},
		run: context => openFile(context, 'in the editor'),
	},
	{
		name: 'merge-tool',
		keys: ['M'],
		label: 'merge tool',
		help: 'open the whole file in the merge tool that your git is set up with, with both sides and what stood there before',
		where: ['hunks'],
		whyNot: context =>
			whyNotResolve(context) ??
			(inHand(context)?.file.whole === true
				? 'A merge tool settles lines, and there are none here; take a side.'
				: undefined),
		run: context => openFile(context, 'in the merge tool'),
	},
	{
		name: 'previous-unresolved',
		keys: ['N', 'p'],
		help: 'go to the previous unresolved hunk',
		where: ['hunks'],
		run: context => toUnresolved(context, -1),
	},
	{
		name: 'next-hunk',
		keys: ['tab', ']'],
		help: 'go to the next hunk, resolved or not',
		where: ['hunks'],
		run: context => toNeighbour(context, 1),
	},
	{
		name: 'previous-hunk',
		keys: ['shift+tab', '['],
		help: 'go to the previous hunk, resolved or not',
		where: ['hunks'],
		run: context => toNeighbour(context, -1),
	},
	{
		name: 'next-conflict',
		keys: ['}', 'J'],
		label: 'next file',
		help: 'go to the next file that collides',
		where: ['hunks'],
		run: context => toFile(context, 1),
	},
	{
		name: 'previous-conflict',
		keys: ['{', 'K'],
		help: 'go to the previous file that collides',
		where: ['hunks'],
		run: context => toFile(context, -1),
	},
	{
		name: 'leave-hunks',
		keys: ['esc'],
		label: 'back',
		help: 'go back: from what led to a hunk to the hunk, and from there to the conflict; all that you settled is kept',
		where: ['hunks'],
		run: context => {
			const place = placeOf(context);
			if (place === undefined || place.shows === 'trail') {
				return show(context, {shows: 'hunk'});
			}

			return only(backTo(context, place));
		},
	},
];
