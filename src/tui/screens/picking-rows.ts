import {keyText} from '../../client/resources/resources.ts';
import {counted, enumerated, firstOf} from '../../lib/text/words.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import {setAsideFor} from '../../state/rivals/rivals.ts';
import {keyOf} from '../action.ts';
import {
	type Part,
	type PickingInHand,
	pickingAt,
	pickingKey,
	placesBeside,
} from '../model/picking.ts';
import type {Context, PickingPlace} from '../model/view.ts';
import {hunkLines} from '../rows/diff.ts';
import {lineRow} from '../rows/diff-rows.ts';
import {blank, paragraph, type Row, row, span} from '../rows/row.ts';
import {wrapRow} from '../rows/wrap-row.ts';
import {filesIn, marksOfWork} from './items/work/work.ts';

/** Returns the part of a work that a person is at, whether it is taken, and the other parts of its file. */
export const pickingRows = (context: Context, place: PickingPlace): readonly Row[] => {
	const columns = context.view.size.columns - 1;
	const picking = pickingAt(context, place);
	switch (picking.phase) {
		case 'gone':
			return paragraph(
				`${place.item} is gone: it was decided, or what it was about is. Esc goes back.`,
				columns,
			);
		case 'reading':
			return [row('Reading its work …', 'dim')];
		case 'failed':
			return paragraph(picking.why, columns, 'warn');
		case 'ready':
			return [...remarks(context, place, picking), ...partRows(context, picking, columns)];
	}
};

const remarks = (
	{model, view}: Context,
	place: PickingPlace,
	picking: PickingInHand,
): readonly Row[] => {
	const {left, cut} = picking;
	const columns = view.size.columns - 1;
	const files = left === 0 ? [] : filesIn(model, pickingKey(model.state, place));
	return [
		...(left === 0
			? []
			: paragraph(
					`${counted(left, 'more line')} of its work can’t be shown here, and not be picked here${unpicked(picking, files)}.`,
					columns,
					'warn',
				)),
		...(cut === 0
			? []
			: paragraph(
					`${counted(cut, 'line')} longer than shown; nothing of them is lost.`,
					columns,
					'warn',
				)),
	];
};

/** Names what of a work nobody can pick, since there is no room to show it. */
const unpicked = ({beyond, work}: PickingInHand, listed: readonly ListedFile[] = []): string => {
	const isShown = (path: string): boolean => work.files.some(file => file.path === path);
	const names = listed.map(({path}) => path).filter(path => path !== beyond && !isShown(path));
	const all = [...(beyond === undefined ? [] : [`the rest of ${beyond}`]), ...names];
	return all.length === 0 ? '' : `: ${firstOf(all, 10)}`;
};

const partRows = (context: Context, hand: PickingInHand, columns: number): readonly Row[] => {
	const {agent, at, parts} = hand;
	if (at === undefined) {
		return paragraph('There is nothing in its work to pick.', columns);
	}

	const {part} = at;
	const {file} = part;
	const mark = marksOfWork(context.model.state, agent).get(file.path);
	const others = parts.filter(other => other.file === file);
	return [
		[span(file.path, 'strong'), span(mark === undefined ? '' : `  ${mark}`, 'warn')],
		[standing(part), span(whatItIs(part, others.indexOf(part) + 1, others.length), 'dim')],
		blank,
		...linesOf(part, columns),
		blank,
		...paragraph(hint(context, hand), columns, 'dim'),
	];
};

const standing = ({taken}: Part) => (taken ? span('✔ taken', 'good') : span('· left out', 'info'));

const whatItIs = ({file}: Part, number: number, total: number): string =>
	file.whole === undefined
		? `  hunk ${number} of ${total} of this file`
		: `  ${file.whole}: all or nothing`;

const linesOf = ({hunks, file}: Part, columns: number): readonly Row[] =>
	hunks.length === 0
		? [row(`(nothing to show of it: ${file.whole ?? 'no lines'})`, 'dim')]
		: hunks.flatMap(({line, section, lines}) => [
				[span(`line ${line}`, 'location'), span(section === '' ? '' : `  ${section}`, 'dim')],
				...hunkLines(lines).flatMap(one => wrapRow(lineRow(one), columns)),
			]);

const hint = (context: Context, {item, agent}: PickingInHand): string => {
	const key = (action: string) => keyOf(context, action);
	const other = nextRival(context)?.rival;
	const comes =
		item.agent === agent
			? 'the rest stays out of the result, and is kept'
			: `what you took comes into the work of ${item.agent}, and the rest is kept${setAside(context)}`;
	return [
		`${key('take-part')} take`,
		`${key('leave-part')} leave out`,
		`${key('take-file')} the whole file`,
		`${key('next-part')} next`,
		...(other === undefined ? [] : [`${key('other-work')} parts of ${other}`]),
		`${key('picked-done')} done: ${comes}`,
	].join(' · ');
};

const setAside = (context: Context): string => {
	const names = setAsideByPicks(context);
	const are = names.length === 1 ? 'is' : 'are';
	return names.length === 0 ? '' : `; ${enumerated(names)} ${are} set aside`;
};

/** Returns whose work it is, how many of its parts are taken, and at which one the person is. */
export const pickingTitle = (
	context: Pick<Context, 'model' | 'view'>,
	place: PickingPlace,
): Row => {
	const picking = pickingAt(context, place);
	if (picking.phase !== 'ready') {
		return [span(`${place.item} in parts`, 'strong')];
	}

	const {item, parts, at, agent} = picking;
	const taken = parts.filter(part => part.taken).length;
	const beside = takenBeside(context).map(other => `, ${other.count} of ${other.agent}`);
	return [
		span(
			`${item.id} ${item.agent}${agent === item.agent ? '' : ` with parts of ${agent}`}  `,
			'strong',
		),
		span(`${taken} of ${parts.length} taken`, taken === 0 ? 'info' : 'good'),
		span(`${beside.join('')}  `, 'good'),
		span(at === undefined ? '' : `part ${at.number + 1} of ${parts.length}`, 'info'),
	];
};

/** Returns of which other works parts are taken as well, wherever the person is, and of how many. */
export const takenBeside = (
	context: Pick<Context, 'model' | 'view'>,
): readonly {readonly agent: string; readonly count: number; readonly isRead: boolean}[] => {
	const {model, view} = context;
	const place = placeOf(context);
	const [, ...beside] = place === undefined ? [] : placesBeside(model.state, place);
	return beside.flatMap(one => {
		const key = pickingKey(model.state, one);
		const count = key === undefined ? 0 : (view.picks[keyText(key)]?.length ?? 0);
		const isRead = pickingAt(context, one).phase === 'ready';
		return count === 0 || one.rival === undefined ? [] : [{agent: one.rival, count, isRead}];
	});
};

/** Returns whom it sets aside to take what is picked of rivals. */
export const setAsideByPicks = (context: Context): readonly string[] => {
	const hand = inHand(context);
	const {state} = context.model;
	const {agent = '', item} = hand ?? {};
	const beside = [agent, ...takenBeside(context).map(one => one.agent)];
	return item === undefined || item.agent === agent
		? []
		: setAsideFor(state, item.agent, beside).map(({id}) => id);
};

/** Returns the place where the person picks from the work of the next rival, if there are several. */
export const nextRival = (context: Context): PickingPlace | undefined => {
	const place = placeOf(context);
	return place && placesBeside(context.model.state, place)[1];
};

/** Returns the place where the person picks parts of a work. */
export const placeOf = ({view: {place}}: Pick<Context, 'view'>): PickingPlace | undefined =>
	place.at === 'picking' ? place : undefined;

/** Returns the parts that they can pick there, once these are read. */
export const inHand = (context: Context): PickingInHand | undefined => {
	const place = placeOf(context);
	const picking = place && pickingAt(context, place);
	return picking?.phase === 'ready' ? picking : undefined;
};
