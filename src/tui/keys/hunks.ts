import type {Take} from '../../rules/by-hand/steps.ts';
import {fileFolderClashIn} from '../../state/items/conflict/paths.ts';
import type {Action} from '../action.ts';
import {byHandRequest} from '../model/hunks.ts';
import {backTo} from '../model/open-item.ts';
import {
	decided,
	inHand,
	placeOf,
	show,
	stepped,
	toFile,
	toHunk,
	toNeighbour,
	toUnresolved,
	whyNotChoose,
	whyNotDone,
	whyNotHunk,
	whyNotResolve,
} from '../model/resolve-hunks.ts';
import {type Context, type Outcome, only} from '../model/view.ts';

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
