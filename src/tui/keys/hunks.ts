import type {Step, Take} from '../../rules/by-hand/steps.ts';
import {type InboxItem, inbox} from '../../rules/inbox.ts';
import {handMadeIn} from '../../state/item.ts';
import {fileFolderClashIn} from '../../state/items/conflict/breakage.ts';
import {byAmount} from '../action.ts';
import {confirmed, decide, sent, whyNotTake} from '../model/decide.ts';
import {backTo, inRecording, openAt, openItem} from '../model/open-item.ts';
import {
	byHandRequest,
	conflictIn,
	hunksPlace,
	inHand,
	isPickedFrom,
	type PickedFrom,
	pickedOf,
	placeOf,
	selectionAt,
	type TakeablePart,
	takenBeside,
	toHunks,
	type WorkInHand,
	workIn,
	worksWithParts,
} from '../model/selection.ts';
import {unseenParts} from '../model/unseen.ts';
import {
	type Action,
	type Context,
	type HunksPlace,
	type Outcome,
	openPlace,
	type View,
	withEffects,
	withNotice,
} from '../model/view.ts';
import {nextRival} from '../screens/hunk-rows.ts';

/** Returns the reason why the current hunk can't be changed. */
const whyNotHunk = (context: Context): string | undefined =>
	whyNotResolve(context) ??
	(inHand(context)?.at === undefined
		? `There is no hunk here to ${isAtWork(context) ? 'pick' : 'settle'}.`
		: undefined);

const isAtWork = (context: Context): boolean => placeOf(context)?.of === 'work';

/** Returns the reason why a file can't be changed as a whole. */
const whyNotResolve = (context: Context): string | undefined =>
	inRecording(context) ??
	(inHand(context) === undefined ? 'The hunks are not there yet.' : undefined);

type HunkAction = Omit<Action, 'where'>;

const onHunks =
	(of: HunksPlace['of']) =>
	(action: HunkAction): Action => ({
		...action,
		where: ['hunks'],
		when: context => placeOf(context)?.of === of && (action.when?.(context) ?? true),
	});

const [ofConflict, ofWork] = [onHunks('conflict'), onHunks('work')];

const show = ({view}: Context, part: Partial<HunksPlace>): Outcome =>
	view.place.at === 'hunks' ? {...view, place: {...view.place, ...part}, scroll: 0} : view;

/** Moves by a number of hunks, resolved or not, within the first and the last. */
const onBy = (context: Context, by: number): Outcome => {
	const {at, hunks = []} = inHand(context) ?? {};
	return show(context, {
		hunk: Math.min(Math.max(0, (at?.number ?? 0) + by), Math.max(0, hunks.length - 1)),
	});
};

/** Applies a step to the current hunk, and asks to store it. */
const stepped = (context: Context, step: (number: number) => Step): Outcome => {
	const {view} = context;
	const [place, hunks] = [placeOf(context), conflictIn(context)];
	if (place === undefined || hunks === undefined) {
		return view;
	}

	const request = byHandRequest(view, hunks, [step(hunks.at?.number ?? 0)]);
	const next = {
		...view,
		place: {...place, hunk: hunks.at?.number},
		steps: {...view.steps, [hunks.item.id]: {look: view.looks, steps: request.steps}},
	};
	const again = selectionAt({...context, view: next}, next.place).phase === 'reading';
	return {view: next, effects: [{do: 'keep', request, again}]};
};

const whyNotChoose = (context: Context, choice: string): string | undefined => {
	const shown = inbox(context.model.state).find(({id}) => id === placeOf(context)?.item);
	return shown === undefined ? undefined : whyNotTake(context, shown, choice);
};

/** Decides the conflict, once all steps on its hunks are stored. */
const decided = (context: Context, choice: string): Outcome => {
	const [place, hunks] = [placeOf(context), conflictIn(context)];
	if (place === undefined || hunks === undefined) {
		return context.view;
	}

	const first = byHandRequest(context.view, hunks);
	const {view, effects} = withEffects(decide({...context, view: openAt(context, place)}, choice));
	return {
		view: effects.length === 0 ? {...context.view, notice: view.notice} : view,
		effects: effects.map(effect =>
			effect.do === 'ask' && first.steps.length > 0 ? {...effect, first} : effect,
		),
	};
};

/** Returns the reason why a file, or the picked parts of a work, can’t be taken yet. */
const whyNotDone = (context: Context): string | undefined => {
	if (isAtWork(context)) {
		return whyNotTakePicked(context);
	}

	const hunks = conflictIn(context);
	const open = hunks?.unresolved.length ?? 0;
	if (hunks !== undefined && open > 0) {
		return `${open} of ${hunks.hunks.length} hunks ${open === 1 ? 'is' : 'are'} unresolved; n goes to the next one.`;
	}

	return whyNotResolve(context) ?? whyNotChoose(context, 'done');
};

/** Goes to the next unresolved hunk, from the last one to the first. */
const toUnresolved = (context: Context, by: 1 | -1): Outcome => {
	const hunks = conflictIn(context);
	const [here, open] = [hunks?.at?.number ?? 0, hunks?.unresolved ?? []];
	const next =
		by === 1
			? (open.find(number => number > here) ?? open[0])
			: (open.findLast(number => number < here) ?? open.at(-1));
	return next === undefined
		? withNotice(context.view, 'info', 'No hunk of this file is unresolved.')
		: show(context, {hunk: next});
};

/** Goes to the first part of the next file; for a conflict to the next conflict, which is only resolved by hand if the person asks for it there. */
const toFile = (context: Context, by: 1 | -1): Outcome => {
	const {view, model} = context;
	const work = workIn(context);
	if (work !== undefined) {
		const here = work.at?.hunk.picked.file ?? 0;
		const files = work.hunks.map(({picked}) => picked.file);
		const next = by === 1 ? files.find(file => file > here) : files.findLast(file => file < here);
		return next === undefined ? view : show(context, {hunk: files.indexOf(next)});
	}

	const place = placeOf(context);
	const conflicts = model.state.items.filter(item => item.kind === 'conflict');
	const here = conflicts.findIndex(({id}) => id === place?.item);
	const next = conflicts[(here + by + conflicts.length) % conflicts.length];
	return place === undefined || next === undefined || conflicts.length < 2
		? withNotice(view, 'info', 'There is no other file that collides.')
		: next.manual.phase === 'none'
			? openAt(context, {item: next.id, from: place.from})
			: toHunks(view, {item: next.id, from: place.from});
};

const taking = (name: string, key: string, label: string, help: string, take: Take): Action =>
	ofConflict({
		name,
		keys: [key],
		label,
		help,
		whyNot: whyNotHunk,
		run: context => stepped(context, hunk => ({do: 'pick', hunk, pick: {take}})),
	});

/** Returns an action that takes a side; for a file without hunks that takes the whole side, and decides the conflict. */
const takingSide = (name: string, key: string, side: 'a' | 'b', help: string): Action => {
	const take = side === 'a' ? 'left' : 'right';
	const action = taking(name, key, take, help, take);
	const isWhole = (context: Context) => conflictIn(context)?.file.whole === true;
	const choice = (context: Context) => `choose-one:${conflictIn(context)?.item[side].join('+')}`;
	return {
		...action,
		whyNot: context =>
			isWhole(context) ? whyNotChoose(context, choice(context)) : whyNotHunk(context),
		run: context => (isWhole(context) ? decided(context, choice(context)) : action.run(context)),
	};
};

/** Opens the whole file, once all steps on its hunks are stored. */
const openFile = (context: Context, how: 'in the editor' | 'in the merge tool'): Outcome => {
	const hunks = conflictIn(context);
	const {view} = context;
	if (hunks === undefined || hunks.item.manual.phase !== 'open') {
		return view;
	}

	const {a, b, path} = hunks.item;
	const {manual} = hunks.item;
	const version = (side: string): string => `${manual.folder}/${side}/${path}`;
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
				file: `${handMadeIn(manual)}/${path}`,
				...(how === 'in the merge tool' ? {versions} : {}),
				...(first.steps.length > 0 ? {first} : {}),
			},
		],
	};
};

const picked = (context: Context, numbers: readonly number[], take: boolean): View => {
	const {view} = context;
	const {key} = workIn(context) ?? {};
	if (key === undefined) {
		return view;
	}

	const before = (view.picks[key] ?? []).filter(number => !numbers.includes(number));
	return {...view, picks: {...view.picks, [key]: take ? [...before, ...numbers] : before}};
};

/** Returns an action that takes or leaves a part, then goes to the next one. */
const picking = (name: string, key: string, label: string, help: string, take: boolean): Action =>
	ofWork({
		name,
		keys: [key],
		label,
		help,
		whyNot: whyNotHunk,
		run: context => {
			const at = inHand(context)?.at;
			const view = picked(context, at === undefined ? [] : [at.number], take);
			return onBy({...context, view}, 1);
		},
	});

/** Takes the parts that are not taken yet; if all are, leaves them. */
const turned = (
	context: Context,
	isWanted: (part: TakeablePart, hand: WorkInHand) => boolean,
): Outcome => {
	const hand = workIn(context);
	const wanted = (hand?.hunks ?? []).flatMap((part, number) =>
		hand !== undefined && isWanted(part, hand) ? [{number, taken: part.taken}] : [],
	);
	const numbers = wanted.map(({number}) => number);
	return picked(context, numbers, !wanted.every(({taken}) => taken));
};

/** Choices that take picked parts, or the whole work if none are picked. */
const takingChoice = {failure: 'salvage', review: 'merge'} as const;

/** Returns the choice that takes the picked parts, into the result or into a rival's work. */
const choiceFor = ({item, agent}: WorkInHand): string =>
	item.agent === agent ? takingChoice[item.kind] : `merge-with:${agent}`;

const whyNotTakePicked = (context: Context): string | undefined => {
	const hand = workIn(context);
	const unread = takenBeside(context).find(({isRead}) => !isRead);
	return (
		whyNotHunk(context) ??
		(hand && whyNotChoose(context, choiceFor(hand))) ??
		(unread && `The work of ${unread.agent}, from which you took hunks, is still being read.`) ??
		(worksWithParts(context).length > 0 ? undefined : 'Nothing is picked yet; y takes this hunk.')
	);
};

/** Decides the item with the picked parts; beside parts of a rival all of the item's own work is taken, so that must have been seen. */
const takePicked = (context: Context): Outcome => {
	const place = placeOf(context);
	const [first, ...others] = worksWithParts(context);
	if (place === undefined || first === undefined) {
		return context.view;
	}

	const {item, agent} = first;
	const choice = choiceFor(first);
	const also = others.map(hand => ({...pickedOf(hand), agent: hand.agent}));
	const taken = {...pickedOf(first), ...(also.length === 0 ? {} : {also})};
	const effect = {
		do: 'ask',
		item: item.id,
		request: {do: 'decide', by: 'user', item: item.id, choice, picked: taken},
		done: `${item.id}: ${choice}, ${[first, ...others].map(countText).join(', ')}`,
	} as const;
	const causes = unseenParts(context, [first, ...others]);
	const there = {...context, view: openAt(context, place)};
	return item.agent !== agent
		? confirmed(there, item, 'merge-with', effect, causes)
		: causes.length > 0
			? confirmed(context, item, undefined, effect, causes)
			: sent(there, effect);
};

const countText = ({agent, hunks}: WorkInHand): string =>
	`${hunks.filter(({taken}) => taken).length} of ${hunks.length} parts of ${agent}`;

const pickedFromHere = ({
	model,
	view,
}: Context): {readonly item: PickedFrom; readonly shown: InboxItem} | undefined => {
	const open = view.place.at === 'item' ? openItem(model.state, view.place) : undefined;
	return open !== undefined && open.freshness !== 'gone' && isPickedFrom(open.item)
		? {item: open.item, shown: open.shown}
		: undefined;
};

/** Actions that choose hunk by hunk: a side of a conflict, or parts of a work. */
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
	ofConflict({
		...{name: 'next-unresolved', keys: ['n'], label: 'next'},
		help: 'go to the next unresolved hunk',
		run: context => toUnresolved(context, 1),
	}),
	ofConflict({
		...{name: 'undo-step', keys: ['u'], label: 'undo'},
		help: 'undo the last step in this file, one after the other',
		whyNot: context =>
			whyNotResolve(context) ??
			(conflictIn(context)?.standing.undoable === 0
				? 'There is no step in this file to undo.'
				: undefined),
		run: context => stepped(context, () => ({do: 'undo'})),
	}),
	{
		...{name: 'pick-parts', keys: ['p'], label: 'parts'},
		help: 'take some files or hunks of its work, and drop the others from the result',
		where: ['item'],
		when: context => pickedFromHere(context) !== undefined,
		whyNot: context => {
			const here = pickedFromHere(context);
			return here && whyNotTake(context, here.shown, takingChoice[here.item.kind]);
		},
		run: ({view}) =>
			view.place.at === 'item' ? openPlace(view, hunksPlace('work', view.place)) : view,
	},
	picking('take-part', 'y', 'take', 'take this part and go to the next one', true),
	picking('leave-part', 'n', 'leave out', 'leave this part out and go to the next one', false),
	ofWork({
		...{name: 'take-file', keys: ['f'], label: 'whole file'},
		help: 'take all parts of this file; again: leave them out',
		whyNot: whyNotHunk,
		run: context => turned(context, ({file}, {at}) => file === at?.hunk.file),
	}),
	ofWork({
		...{name: 'take-all', keys: ['a'], label: 'all'},
		help: 'take all parts of all files; again: leave them out',
		whyNot: whyNotHunk,
		run: context => turned(context, () => true),
	}),
	{
		...{name: 'hunks-done', keys: ['d', 'enter'], label: 'done'},
		help: 'finish: take the file once every hunk is settled, or only the hunks that you picked from an agent’s work; the result is then built and checked again',
		where: ['hunks'],
		whyNot: whyNotDone,
		run: context => (isAtWork(context) ? takePicked(context) : decided(context, 'done')),
	},
	ofWork({
		...{name: 'other-work', keys: ['r'], label: 'other work'},
		help: 'go to the work of the next rival; your picks here stay marked',
		when: context => nextRival(context) !== undefined,
		run: context => show(context, nextRival(context) ?? {}),
	}),
	taking('take-base', 'B', 'base', 'take neither side, but the base', 'base'),
	taking(
		'take-both-turned',
		'R',
		'both, right first',
		'take both sides, the right one first',
		'right-left',
	),
	ofConflict({
		...{name: 'show-base', keys: ['v'], label: 'show base'},
		help: 'show the base between the sides; again: hide it',
		run: context => show(context, {withBase: placeOf(context)?.withBase !== true}),
	}),
	ofConflict({
		...{name: 'edit-file', keys: ['E'], label: 'whole file'},
		help: 'open the whole file in your editor, with conflict markers around unresolved hunks',
		whyNot: context => {
			const item = conflictIn(context)?.item;
			return (
				whyNotResolve(context) ??
				(item !== undefined && fileFolderClashIn(item) !== undefined && item.manual.phase === 'open'
					? `The file to rename is in ${handMadeIn(item.manual)}.`
					: undefined)
			);
		},
		run: context => openFile(context, 'in the editor'),
	}),
	ofConflict({
		...{name: 'merge-tool', keys: ['M'], label: 'merge tool'},
		help: 'open the whole file in your git’s merge tool, with both sides and the base',
		whyNot: context => {
			const {file, isComplete} = conflictIn(context) ?? {};
			return (
				whyNotResolve(context) ??
				(file?.whole && isComplete
					? 'A merge tool works on lines, and there are none here; take a side.'
					: undefined)
			);
		},
		run: context => openFile(context, 'in the merge tool'),
	}),
	ofConflict({
		...{name: 'previous-unresolved', keys: ['N']},
		help: 'go to the previous unresolved hunk',
		run: context => toUnresolved(context, -1),
	}),
	...byAmount(['hunks'], (context, by: 1 | -1) => onBy(context, by), [
		['next-hunk', ['tab', ']', 'right'], 'go to the next hunk, settled or not', 1],
		['previous-hunk', ['shift+tab', '[', 'left'], 'go to the previous hunk, settled or not', -1],
	]),
	...byAmount(['hunks'], (context, by: 1 | -1) => toFile(context, by), [
		['next-path', ['}', 'J'], 'go to the next file that collides, or of the work', 1, 'next file'],
		['previous-path', ['{', 'K'], 'go to the previous file that collides, or of the work', -1],
	]),
	{
		...{name: 'leave-hunks', keys: ['esc', 'b'], label: 'back'},
		help: 'go back to the item; your choices are kept',
		where: ['hunks'],
		run: context => {
			const place = placeOf(context);
			return place === undefined ? context.view : backTo(context, place);
		},
	},
];
