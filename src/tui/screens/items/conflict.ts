import type {Model} from '../../../client/model.ts';
import type {ResourceKey} from '../../../client/resources/resources.ts';
import {withoutColors} from '../../../lib/text/sanitize.ts';
import type {OfferedChoice} from '../../../rules/commands/choices.ts';
import {buildKey} from '../../../rules/effects/merging.ts';
import {handMadeIn, type ItemOf} from '../../../state/item.ts';
import {fileFolderClashIn, isBreakage} from '../../../state/items/conflict/breakage.ts';
import {checkingOf} from '../../../state/items/conflict/conflict.ts';
import {outcomeCheckName} from '../../../state/items/conflict/outcome-check.ts';
import {itemOf} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {choiceWords} from '../../formatting/choice-rows.ts';
import type {Context, ItemPlace, View} from '../../model/view.ts';
import {offeredBy, shownOrder} from '../../model/ways.ts';
import {
	sideBySide as besideEachOther,
	fact,
	paragraph,
	type Row,
	row,
	section,
	span,
} from '../../rows/row.ts';
import {beside, columnsBeside} from '../../rows/wrap-row.ts';
import {changeRows, resourceOf} from './work/work.ts';

type ConflictItem = ItemOf<'conflict'>;

/** Returns the collision, the state of its resolution, and the change of each side. */
export const conflictFacts = (
	model: Model,
	item: ConflictItem,
	described: readonly Row[],
	columns: number,
): readonly Row[] => [
	...described,
	...manualRows(item, columns),
	...versions(model, item, columns),
];

const manualRows = (item: ConflictItem, columns: number): readonly Row[] => {
	const {manual, path} = item;
	const clash = fileFolderClashIn(item);
	const edited = clash === undefined ? `/${path}` : '';
	const until = isBreakage(item)
		? 'until it is right; the other files that show the breakage lie beside it'
		: clash !== undefined
			? `rename the file there, or the folder or link at ${clash.path}; everything in there is taken`
			: 'hunk by hunk here, or in your editor until no conflict marker is left; each whole version lies beside it';
	switch (manual.phase) {
		case 'none':
			return [];
		case 'wanted':
			return section('Resolving by hand', [row('The folder is being made …', 'dim')]);
		case 'open':
			return section('Resolving by hand', [
				...fact('1. Edit', `${handMadeIn(manual)}${edited}`, columns, 'strong'),
				...fact('', until, columns),
				...fact('2. Then', 'take "done" here; the result is built again with it', columns),
			]);
	}
};

/** Minimum columns for two diffs side by side. */
const sideBySide = 120;

const versions = (model: Model, item: ConflictItem, columns: number): readonly Row[] => {
	if (columns < sideBySide) {
		return [...sideRows(model, item, 'a', columns), ...sideRows(model, item, 'b', columns)];
	}

	const half = columnsBeside(2, columns);
	return beside([sideRows(model, item, 'a', half), sideRows(model, item, 'b', half)], half);
};

const sideRows = (
	model: Model,
	item: ConflictItem,
	side: 'a' | 'b',
	columns: number,
): readonly Row[] => {
	return [
		row(`${sideName(model.state, item, side)} did this`, 'strong'),
		...changeRows(resourceOf(model, sideKey(item, side)), columns),
	];
};

/** Returns the agents of a side, or the name of the target branch. */
export const sideName = (
	{session}: State,
	item: Pick<ConflictItem, 'a' | 'b'>,
	side: 'a' | 'b',
): string =>
	item[side]
		.map(name => (name === 'target' && session !== null ? `target (${session.target})` : name))
		.join(' and ');

/** Returns whether the result of a choice is shown: if there is room, it is beside the facts. */
export const showsOutcome = ({size}: View, {shows}: Pick<ItemPlace, 'shows'>): boolean =>
	shows === 'outcome' || size.columns >= sideBySide;

/** Minimum columns for the result of a choice beside both sides, which are side by side, too. */
const allSideBySide = 180;

/** Returns the facts of a conflict, the result of a choice, or both side by side. */
export const conflictBody = (
	context: Context,
	place: ItemPlace,
	columns: number,
	facts: (columns: number) => readonly Row[],
): readonly Row[] => {
	const {view, model} = context;
	const item = itemOf(model.state, place.item);
	if (item?.kind !== 'conflict' || !showsOutcome(view, place)) {
		return facts(columns);
	}

	if (place.shows === 'outcome') {
		return conflictOutcome(context, item, place, columns);
	}

	const gap = 2;
	const left = Math.floor(columns * (columns >= allSideBySide ? 2 / 3 : 1 / 2)) - gap;
	const right = columns - left - gap;
	return besideEachOther(
		[
			{rows: facts(left), columns: left},
			{rows: conflictOutcome(context, item, place, right), columns: right},
		],
		[span(' '.repeat(gap))],
	);
};

/** Returns the path of a conflict as the selected choice would make it, before it is taken. */
const conflictOutcome = (
	{model, view}: Context,
	item: ConflictItem,
	place: ItemPlace,
	columns: number,
): readonly Row[] => {
	const {state} = model;
	const inSight = choiceInSight(state, item, place);
	if (inSight === undefined) {
		return [];
	}

	const resource = resourceOf(model, outcomeKey(state, view, item, inSight));
	const {choice} = inSight;
	const words = resource.phase === 'ready' ? (resource.preview?.words ?? []) : [];
	return [
		...checkRows(model, item, choice),
		...section(
			'All work together with it',
			words.flatMap(text => paragraph(text, columns)),
		),
		...section(
			`${state.session?.target ?? 'The target'} after this choice: ${choiceWords(state, 'conflict', inSight)}`,
			changeRows(resource, columns),
		),
	];
};

/** Returns the last output of a running check of this result. */
const checkRows = ({tails}: Model, item: ConflictItem, choice: string): readonly Row[] => {
	const checking = checkingOf(item, choice);
	if (checking === undefined || checking.result !== undefined) {
		return [];
	}

	const lines = (tails[outcomeCheckName(checking)] ?? []).slice(-mostOutcomeLines);
	return section('Its check is running', [
		...(lines.length === 0
			? [row('It has printed nothing yet.', 'dim')]
			: lines.map(line => row(withoutColors(line)))),
	]);
};

const mostOutcomeLines = 4;

/** Returns the resource with the change of one side, to the conflict's path or to all paths of a breakage. */
const sideKey = (item: ConflictItem, side: 'a' | 'b'): ResourceKey => ({
	what: {of: 'side', item: item.id, side},
	state: isBreakage(item) ? JSON.stringify(item.files) : (item.stages[side]?.oid ?? 'nothing'),
});

/** Returns the choice whose result is shown: the selected one, or otherwise the likely one. */
export const choiceInSight = (
	state: State,
	item: ConflictItem,
	{cursor}: ItemPlace,
): OfferedChoice | undefined =>
	offeredBy(state, item.id)[cursor ?? shownOrder(state, item.id)[0] ?? -1];

/** Returns the resource with the result of a choice for the path, in the current state. */
const outcomeKey = (
	state: State,
	{looks, steps}: View,
	item: ConflictItem,
	{choice, verb}: OfferedChoice,
): ResourceKey => {
	const open = state.items.flatMap(item => (item.kind === 'conflict' ? [item.id] : []));
	const look = verb === 'done' ? [looks, steps[item.id]?.steps.length] : 0;
	const stand = [state.merge.phase, open, buildKey(state), look, checkingOf(item, choice)];
	return {what: {of: 'outcome', item: item.id, choice}, state: JSON.stringify(stand)};
};

/** Returns the resources of an open conflict. */
export const conflictKeys = (
	state: State,
	view: View,
	item: ConflictItem,
	place: ItemPlace,
): readonly ResourceKey[] => {
	const choice = showsOutcome(view, place) ? choiceInSight(state, item, place) : undefined;
	return [
		...(place.shows === 'facts' ? [sideKey(item, 'a'), sideKey(item, 'b')] : []),
		...(choice === undefined ? [] : [outcomeKey(state, view, item, choice)]),
	];
};
