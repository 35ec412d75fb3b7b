import {whoAnsweredFirst} from '../../client/texts/item-text.ts';
import {questionRows} from '../formatting/choice-rows.ts';
import {fileAt, fileInSight, unreadInSight} from '../model/unseen.ts';
import type {Context, ItemPlace} from '../model/view.ts';
import {
	badge,
	blank,
	fitted,
	paragraph,
	type Row,
	row,
	ruleRow,
	sideBySide,
	span,
	widthOfRow,
} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {isShort} from '../terminal/full-screen.ts';
import {bodyOf, linkedTo, positionInBody, rowsInSight, type ScrolledBody} from './body.ts';
import {choicesView} from './choices.ts';
import {fewestTreeRows, mostListed, pathInTree, treeRows} from './file-tree.ts';
import {hasDiff, type ItemLayout, itemDiff, itemLayout, rowsAround} from './item-layout.ts';
import {writingView} from './writing.ts';

/** Returns an open item: its facts and its choices. */
export const itemView = (context: Context, place: ItemPlace, height: number): readonly Row[] => {
	const {columns} = context.view.size;
	const layout = itemLayout(context, place);
	if (layout === undefined) {
		return fitted(goneRows(context, place.item), height);
	}

	const body = bodyOf(context);
	const {beside, bodyHeight} = layout;
	const read = {
		rows: indented(rowsInSight(context, body)),
		columns: columns - (beside?.columns ?? 0),
	};
	const blocks =
		beside === undefined
			? [read]
			: [
					{
						...beside,
						rows: indented([...beside.rows, ...treeBeside(context, body, layout, beside)]),
					},
					read,
				];
	return [
		[badge(layout.shown.kind), ...titleRow(context, layout)],
		...(isShort(context.view.size) ? [] : [ruleRow(columns, fileInSight(context, body))]),
		...fitted(sideBySide(blocks), bodyHeight),
		ruleRow(columns, shortName(context, body), positionInBody(context, body)),
		...bottom(context, place, layout),
	];
};

/** Returns the name of the visible file for the rule below the diff, if there is no rule above it. */
const shortName = (context: Context, body: ScrolledBody): Row => {
	const [name] = isShort(context.view.size) ? fileInSight(context, body) : [];
	const room = context.view.size.columns - widthOfRow(positionInBody(context, body)) - 8;
	return name === undefined ? [] : [{...name, text: cut(name.text, room)}];
};

/** Returns the tree of files below the facts, which follows the current file. */
const treeBeside = (
	context: Context,
	body: ScrolledBody,
	layout: ItemLayout,
	{columns}: NonNullable<ItemLayout['beside']>,
): readonly Row[] => {
	const tree = treeOf(context, body, layout);
	const {link} = linkedTo(context, span(''));
	return tree === undefined
		? []
		: treeRows(tree.files, {...tree.news, link}, {columns: columns - 2, height: tree.height});
};

/** Returns the path of the file at a place of the screen, in the tree beside a diff; of a folder, its first one. */
export const fileInTree = (
	context: Context,
	layout: ItemLayout,
	{row, column}: {readonly row: number; readonly column: number},
): string | undefined => {
	const {beside} = layout;
	const tree = beside && treeOf(context, bodyOf(context), layout);
	const at = row - rowsAround(context.view) - (beside?.rows.length ?? 0);
	return tree === undefined || at < 0 || column >= (beside?.columns ?? 0)
		? undefined
		: pathInTree(tree.files, tree.news, {height: tree.height, at});
};

const treeOf = (context: Context, body: ScrolledBody, {item, beside, bodyHeight}: ItemLayout) => {
	const height = bodyHeight - (beside?.rows.length ?? 0);
	const shown = hasDiff(item) ? itemDiff(context, item) : undefined;
	const {files = []} = shown ?? {};
	if (shown === undefined || files.length <= mostListed || height < fewestTreeRows) {
		return undefined;
	}

	const unread = unreadInSight(body, context.view);
	return {files, news: {...shown, here: fileAt(body)?.path, unread}, height};
};

const goneRows = ({model, view}: Context, id: string): readonly Row[] => [
	row(`${id} is gone`, 'strong'),
	blank,
	...paragraph(
		whoAnsweredFirst(model.questions, id) ??
			'It was decided, here or elsewhere, or its cause is gone.',
		view.size.columns,
	),
	row('Esc goes back.', 'dim'),
];

const titleRow = ({model, view}: Context, {shown, item, changed}: ItemLayout): Row => {
	const {items} = model.state;
	const number = items.findIndex(({id}) => id === item.id) + 1;
	const about = `${shown.id} ${shown.agent ?? ''}`.trim();
	const position = `${number} of ${items.length}`;
	const room = view.size.columns - shown.kind.length - about.length - position.length - 8;
	return [
		span(` ${about}  `, 'strong'),
		changed ? span('has changed since you opened it  ', 'warn') : span(''),
		span(cut(shown.title, Math.max(8, room))),
		span(`  ${position}`, 'dim'),
	];
};

const indented = (rows: readonly Row[]): readonly Row[] => rows.map(cells => [span(' '), ...cells]);

const bottom = (context: Context, place: ItemPlace, layout: ItemLayout): readonly Row[] => {
	const {dialog} = context.view;
	const {shown, bottomHeight: height} = layout;
	return dialog.kind === 'confirm'
		? fitted(questionRows(context, dialog), height)
		: (writingView(context, height) ?? choicesView(context, place, shown, height));
};
