import {counted, enumerated, firstOf} from '../../lib/text/words.ts';
import type {ShownHunk} from '../../rules/by-hand/hunk-lines.ts';
import {type HunkPart, type HunkPick, partsOf} from '../../rules/by-hand/steps.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import {handMadeIn} from '../../state/item.ts';
import {fileFolderClashIn, pathToShow} from '../../state/items/conflict/breakage.ts';
import {setAsideFor} from '../../state/rivals/rivals.ts';
import {actionKey} from '../action.ts';
import {
	type ConflictInHand,
	placeOf,
	placesBeside,
	selectionAt,
	selectionKey,
	type TakeablePart,
	takenBeside,
	type WorkInHand,
	workIn,
} from '../model/selection.ts';
import type {Context, HunksPlace} from '../model/view.ts';
import {changedLines, hunkLines} from '../rows/diff.ts';
import {blank, paragraph, type Row, row, type Span, span} from '../rows/row.ts';
import {sourceRows} from '../rows/syntax.ts';
import {beside, columnsBeside, wrapRow} from '../rows/wrap-row.ts';
import {sideName} from './items/conflict.ts';
import {filesIn, marksOfWork} from './items/work/work.ts';

/** Returns the current hunk: for a conflict its sides, its base and its result; for a work its change, and whether it is taken. */
export const hunkRows = (context: Context, place: HunksPlace): readonly Row[] => {
	const columns = context.view.size.columns - 1;
	const hunks = selectionAt(context, place);
	switch (hunks.phase) {
		case 'gone':
			return paragraph(
				`${place.item} is gone: it was decided, or its cause is gone. Esc goes back.`,
				columns,
			);
		case 'none':
			return paragraph(
				`Its folder is not there${hunks.trouble === undefined ? '' : `: ${hunks.trouble}`}. Esc goes back to the conflict.`,
				columns,
				'warn',
			);
		case 'making':
			return [row('The folder of this conflict is being made …', 'dim')];
		case 'reading':
			return [row(place.of === 'work' ? 'Reading its work …' : 'Reading the hunks …', 'dim')];
		case 'failed':
			return paragraph(hunks.why, columns, 'warn');
		case 'ready':
			return hunks.of === 'work'
				? [
						...leftRows(context, place, hunks),
						...cutRows(hunks, columns),
						...workRows(context, hunks, columns),
					]
				: readyRows(context, hunks, {place, columns});
	}
};

const cutRows = ({cut}: ConflictInHand | WorkInHand, columns: number): readonly Row[] =>
	cut === 0
		? []
		: paragraph(
				`${counted(cut, 'line')} longer than shown; their full text is kept.`,
				columns,
				'warn',
			);

type Parts = {readonly place: HunksPlace; readonly columns: number};

const readyRows = (
	context: Context,
	hunks: ConflictInHand,
	{place, columns}: Parts,
): readonly Row[] => {
	const {file, at} = hunks;
	const remarks = [
		...file.remarks.flatMap(remark => paragraph(remark, columns, 'info')),
		...cutRows(hunks, columns),
	];
	if (at === undefined) {
		return [...remarks, blank, ...withoutHunks(context, hunks, columns)];
	}

	const settledRows = (lines: readonly string[]): readonly Row[] =>
		lines.flatMap(text => wrapRow([span(`  ${text.replaceAll('\t', '    ')}`, 'dim')], columns));
	return [
		...remarks,
		...settledRows(at.hunk.before),
		...sidesRows(context, hunks, at.hunk, {place, columns}),
		...resultRows(context, hunks, at, columns),
		...settledRows(at.hunk.after),
	];
};

/** Returns the possible actions on a file whose parts can't be taken separately. */
const withoutHunks = (context: Context, hunks: ConflictInHand, columns: number): readonly Row[] => {
	const {item, file} = hunks;
	const {state} = context.model;
	const take = actionKey(context, 'hunks-done');
	const done =
		fileFolderClashIn(item) === undefined || item.manual.phase !== 'open'
			? `${take} takes the file as it is in its folder; ${actionKey(context, 'edit-file')} opens it.`
			: `rename one of them in ${handMadeIn(item.manual)}; ${take} takes everything in there.`;
	return file.whole
		? [
				...paragraph('There are no hunks here; take a whole side:', columns, 'strong'),
				...paragraph(`${actionKey(context, 'take-left')}  ${sideName(state, item, 'a')}`, columns),
				...paragraph(`${actionKey(context, 'take-right')}  ${sideName(state, item, 'b')}`, columns),
				...paragraph(`Or by hand: ${done}`, columns, 'dim'),
			]
		: paragraph(`No hunk is left in it. ${done}`, columns);
};

/** Minimum columns for both sides side by side, and for the base between them. */
const twoColumns = 100;
const threeColumns = 160;

const sidesRows = (
	context: Context,
	hunks: ConflictInHand,
	hunk: ShownHunk,
	{place, columns}: Parts,
): readonly Row[] => {
	const side = (which: 'left' | 'base' | 'right', width: number) =>
		sideRows(context, hunks, hunk, {which, width});
	if (columns >= threeColumns) {
		const width = columnsBeside(3, columns);
		return beside([side('left', width), side('base', width), side('right', width)], width);
	}

	const base = place.withBase ? side('base', columns) : [];
	if (columns >= twoColumns) {
		const width = columnsBeside(2, columns);
		return [...base, ...beside([side('left', width), side('right', width)], width)];
	}

	return [...side('left', columns), ...base, ...side('right', columns)];
};

type Side = {readonly which: 'left' | 'base' | 'right'; readonly width: number};

const sideRows = (
	context: Context,
	{item}: ConflictInHand,
	hunk: ShownHunk,
	{which, width}: Side,
): readonly Row[] => {
	const lines = hunk[which];
	const name = {
		left: sideName(context.model.state, item, 'a'),
		base: 'before',
		right: sideName(context.model.state, item, 'b'),
	}[which];
	const source = {path: item.path, source: lines, columns: width};
	const base = which === 'base' ? lines : hunk.base;
	const shown = sourceRows(context.highlight, source, own => changedLines(base, own));
	return [
		[span(`${actionKey(context, `take-${which}`)} `, 'key'), span(name, 'strong')],
		...(lines.length === 0
			? [row(which === 'base' ? '  (nothing stood here)' : '  (no lines here)', 'dim')]
			: shown),
		...(hunk.open.includes(which) ? [row('  (no line end behind the last one)', 'dim')] : []),
	];
};

/** Returns the result of a hunk, line by line with its side; for an unresolved one, the keys that resolve it. */
const resultRows = (
	context: Context,
	hunks: ConflictInHand,
	{number, hunk}: NonNullable<ConflictInHand['at']>,
	columns: number,
): readonly Row[] => {
	const pick = hunks.standing.picks.get(number);
	if (pick === undefined) {
		return [
			[span('Result: ', 'strong'), span('✗ unresolved', 'warn')],
			...paragraph(hintOf(context), columns, 'dim'),
		];
	}

	const rows = partsOf(pick).flatMap(part => takenRows(hunk, part));
	return [
		[span('Result: ', 'strong'), span(`✔ ${wordsOf(context, hunks, pick)}`, 'good')],
		...(rows.length === 0
			? [row('  (no lines)', 'dim')]
			: rows.flatMap(cells => wrapRow(cells, columns))),
	];
};

const hintOf = (context: Context): string => {
	const key = (action: string) => actionKey(context, action);
	return `${key('take-left')} left · ${key('take-right')} right · ${key('take-both')} left, then right · ${key('take-both-turned')} right, then left · ${key('take-base')} before`;
};

const wordsOf = ({model}: Context, {item}: ConflictInHand, {take}: HunkPick): string => {
	const [left, right] = [sideName(model.state, item, 'a'), sideName(model.state, item, 'b')];
	switch (take) {
		case 'left':
			return left;
		case 'right':
			return right;
		case 'base':
			return 'as before';
		case 'left-right':
			return `${left}, then ${right}`;
		case 'right-left':
			return `${right}, then ${left}`;
	}
};

const signs = {left: '‹ ', base: '· ', right: '› '} as const;

const takenRows = (hunk: ShownHunk, part: HunkPart): readonly Row[] =>
	hunk[part].map(text => [span(signs[part], 'info'), span(text.replaceAll('\t', '    '))]);

const leftRows = ({model, view}: Context, place: HunksPlace, work: WorkInHand): readonly Row[] => {
	const names = unpicked(work, filesIn(model, selectionKey({model, view}, place)));
	return work.isComplete
		? []
		: paragraph(
				`Some of its work is too long to be shown here, and can’t be picked here${names}.`,
				view.size.columns - 1,
				'warn',
			);
};

/** Names the parts of a work that can't be picked, since there is no room to show them. */
const unpicked = ({beyond, work}: WorkInHand, listed: readonly ListedFile[] = []): string => {
	const isShown = (path: string): boolean => work.files.some(file => file.path === path);
	const names = listed.map(({path}) => path).filter(path => path !== beyond && !isShown(path));
	const all = [...(beyond === undefined ? [] : [`the rest of ${beyond}`]), ...names];
	return all.length === 0 ? '' : `: ${firstOf(all, 10)}`;
};

const workRows = (context: Context, hand: WorkInHand, columns: number): readonly Row[] => {
	const {agent, at, hunks} = hand;
	if (at === undefined) {
		return paragraph('There is nothing in its work to pick.', columns);
	}

	const part = at.hunk;
	const {file} = part;
	const mark = marksOfWork(context.model.state, agent).get(file.path);
	const others = hunks.filter(other => other.file === file);
	return [
		[span(file.path, 'strong'), span(mark === undefined ? '' : `  ${mark}`, 'warn')],
		[standing(part), span(whatItIs(part, others.indexOf(part) + 1, others.length), 'dim')],
		blank,
		...linesOf(context, part, columns),
		blank,
		...paragraph(workHint(context, hand), columns, 'dim'),
	];
};

const standing = ({taken}: TakeablePart) =>
	taken ? span('✔ taken', 'good') : span('· left out', 'info');

const whatItIs = ({file}: TakeablePart, number: number, total: number): string =>
	file.whole === undefined
		? `  hunk ${number} of ${total} of this file`
		: `  ${file.whole}: all or nothing`;

const linesOf = (
	{highlight}: Context,
	{hunks, file}: TakeablePart,
	columns: number,
): readonly Row[] =>
	hunks.length === 0
		? [row(`(nothing to show of it: ${file.whole ?? 'no lines'})`, 'dim')]
		: hunks.flatMap(({line, section, lines}) => [
				[span(`line ${line}`, 'location'), span(section === '' ? '' : `  ${section}`, 'dim')],
				...sourceRows(highlight, {path: file.path, source: lines, columns}, hunkLines),
			]);

const workHint = (context: Context, {item, agent}: WorkInHand): string => {
	const key = (action: string) => actionKey(context, action);
	const other = nextRival(context)?.rival;
	const comes =
		item.agent === agent
			? 'the rest stays out of the result, and is kept'
			: `your picks join ${item.agent}’s work, the rest is kept${setAside(context)}`;
	return [
		`${key('take-part')} take`,
		`${key('leave-part')} leave out`,
		`${key('take-file')} the whole file`,
		`${key('next-hunk')} next`,
		...(other === undefined ? [] : [`${key('other-work')} parts of ${other}`]),
		`${key('hunks-done')} done: ${comes}`,
	].join(' · ');
};

const setAside = (context: Context): string => {
	const names = setAsideByPicks(context);
	const are = names.length === 1 ? 'is' : 'are';
	return names.length === 0 ? '' : `; ${enumerated(names)} ${are} set aside`;
};

const setAsideByPicks = (context: Context): readonly string[] => {
	const hand = workIn(context);
	const {state} = context.model;
	const {agent = '', item} = hand ?? {};
	const beside = [agent, ...takenBeside(context).map(one => one.agent)];
	return item === undefined || item.agent === agent
		? []
		: setAsideFor(state, item.agent, beside).map(({id}) => id);
};

/** Returns the place for picking from the next rival's work, if there are several. */
export const nextRival = (context: Context): HunksPlace | undefined => {
	const place = placeOf(context);
	return place && placesBeside(context.model.state, place)[1];
};

/** Returns the title: the file and its number of unresolved hunks, or the agent and its number of taken parts; and the number of the current one. */
export const hunksTitle = (context: Context, place: HunksPlace): Row => {
	const hunks = selectionAt(context, place);
	if (hunks.phase !== 'ready') {
		return [span(`${place.item} ${place.of === 'work' ? 'in parts' : 'by hand'}`, 'strong')];
	}

	if (hunks.of === 'work') {
		return workTitle(context, hunks);
	}

	const {item, file, at, unresolved} = hunks;
	const total = file.hunks.length;
	return [
		span(`${item.id} `, 'strong'),
		total === 0 ? span('') : countSpan(unresolved.length, total),
		at === undefined ? span('') : span(`hunk ${at.number + 1} of ${total}  `, 'info'),
		span(`${pathToShow(item)}${at === undefined ? '' : `:${at.hunk.line}`}`, 'strong'),
		span(at?.hunk.section === undefined ? '' : `  ${at.hunk.section}`, 'dim'),
	];
};

const countSpan = (open: number, total: number): Span =>
	open === 0
		? span(`✔ 0 of ${total} unresolved  `, 'good')
		: span(`✗ ${open} of ${total} unresolved  `, 'warn');

const workTitle = (context: Context, {item, hunks, at, agent}: WorkInHand): Row => {
	const taken = hunks.filter(part => part.taken).length;
	const beside = takenBeside(context).map(other => `, ${other.count} of ${other.agent}`);
	return [
		span(
			`${item.id} ${item.agent}${agent === item.agent ? '' : ` with parts of ${agent}`}  `,
			'strong',
		),
		span(`${taken} of ${hunks.length} taken`, taken === 0 ? 'info' : 'good'),
		span(`${beside.join('')}  `, 'good'),
		span(at === undefined ? '' : `part ${at.number + 1} of ${hunks.length}`, 'info'),
	];
};
