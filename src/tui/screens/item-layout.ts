import type {Model} from '../../client/model.ts';
import {keyText, type ResourceKey} from '../../client/resources/resources.ts';
import {oncePer} from '../../lib/values.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {contentText, type ListedFile} from '../../rules/listed-file.ts';
import type {Item, ItemOf} from '../../state/item.ts';
import {lastResult} from '../../state/merge/publication.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {type Marks, withMarks} from '../formatting/check-look.ts';
import {heightOfChoices, listedName, questionRows} from '../formatting/choice-rows.ts';
import {noticeRows} from '../formatting/notice.ts';
import {draftLines} from '../model/draft.ts';
import {openItem} from '../model/open-item.ts';
import {type Context, type ItemPlace, isWriting, type View, type WorkPart} from '../model/view.ts';
import {type WayOut, waysOf} from '../model/ways.ts';
import type {DiffParts, DiffSize} from '../rows/diff-layout.ts';
import {diffParts, diffRows} from '../rows/diff-rows.ts';
import {between, type Row, type Rows, row, section} from '../rows/row.ts';
import {isShort} from '../terminal/full-screen.ts';
import {cellImage} from '../terminal/images.ts';
import {fewestTreeRows, mostListed, treeRows} from './file-tree.ts';
import {setBackRows} from './items/about-agent.ts';
import {authorsText} from './items/approval.ts';
import {conflictBody} from './items/conflict.ts';
import {factsOf} from './items/facts.ts';
import {claimedBy, missingFiles} from './items/work/claims.ts';
import {
	asWanted,
	filesIn,
	marksOfResult,
	marksOfWork,
	resourceOf,
	resultKey,
	shownPart,
	shownWorkKey,
	workKey,
} from './items/work/work.ts';

export type ItemLayout = {
	readonly item: Item;
	readonly shown: InboxItem;
	readonly changed: boolean;
	/** Fixed part beside the body, if there is room. */
	readonly beside: {readonly rows: readonly Row[]; readonly columns: number} | undefined;
	/** Scrollable content. */
	readonly body: Rows;
	/** Place of a diff in the content, if there is one. */
	readonly diff: ShownDiff | undefined;
	readonly bodyHeight: number;
	/** Rows for the choices, or for the person's text. */
	readonly bottomHeight: number;
};

/** Returns the number of rows around every view: status, notice, footer, and hint if there is one. */
export const frameRows = (context: Context): number =>
	2 + noticeRows(context) + (context.hint === undefined ? 0 : 1);

/** Returns the number of rows of an item's title and of the rules above and below its body. */
export const rowsAround = ({size}: View): number => (isShort(size) ? 2 : 3);

/** Minimum columns for facts and diff side by side. */
const wideColumns = 140;

/** Lays out the open item; returns nothing if it is gone. Keys, footer and frame all need it. */
export const itemLayout = oncePer((context: Context, place: ItemPlace): ItemLayout | undefined => {
	const {model, view} = context;
	const open = openItem(model.state, place);
	if (open.freshness === 'gone') {
		return undefined;
	}

	const {item, shown} = open;
	const {columns, rows} = view.size;
	const height = rows - frameRows(context) - rowsAround(view);
	const bottomHeight = heightOfBottom(context, shown, mostBottom(view, height));
	const bodyHeight = Math.max(1, height - bottomHeight);
	const rest = {item, shown, changed: open.freshness === 'changed', bodyHeight, bottomHeight};
	if (item.kind !== 'conflict' && place.shows === 'outcome') {
		const body = setBackRows(context, item, place, columns - 2);
		return {...rest, beside: undefined, body, diff: undefined};
	}

	const diff = hasDiff(item) ? itemDiff(context, item) : undefined;
	const isTree = (diff?.files?.length ?? 0) > mostListed;
	// A diff that is wanted side by side takes the columns that it needs.
	const isLeft = (width: number) => !view.sides || width >= fewestForSides;
	if (diff !== undefined && columns >= wideColumns) {
		const factColumns = Math.floor(columns * 0.42);
		const width = columns - factColumns - 2;
		const facts = factsOf(context, open, place, factColumns - 2);
		if (facts.length + (isTree ? fewestTreeRows : 0) <= bodyHeight && isLeft(width)) {
			return {
				...rest,
				beside: {rows: facts, columns: factColumns},
				...diffBody(context, diff, width),
			};
		}
	}

	const facts =
		item.kind === 'conflict'
			? conflictBody(context, place, columns - 2, width => factsOf(context, open, place, width))
			: factsOf(context, open, place, columns - 2);
	if (diff === undefined) {
		return {...rest, beside: undefined, body: facts, diff};
	}

	const treeColumns = Math.floor(columns / 3);
	const width = columns - treeColumns - 2;
	const isHigh = bodyHeight >= fewestTreeRows;
	if (isTree && isHigh && columns >= fewestForTree && isLeft(width)) {
		const above = [...factsOf(context, open, place, width), row(diff.title, 'strong')];
		return {
			...rest,
			beside: {rows: [], columns: treeColumns},
			...diffBody(context, diff, width, above),
		};
	}

	const tree = treeBefore(diff, columns - 2);
	const above = [...facts, ...tree, row(diff.title, 'strong')];
	return {...rest, beside: undefined, ...diffBody(context, diff, columns - 2, above)};
});

/** Minimum columns for the tree of files beside the facts and the diff. */
const fewestForTree = 120;

/** Maximum rows of the tree above the diff, where it doesn't follow the current file. */
const mostTreeRows = 12;

/** Returns the tree of files above the diff; a few files are listed among the facts instead. */
const treeBefore = ({files = [], ...news}: DiffOf, columns: number): readonly Row[] =>
	files.length <= mostListed
		? []
		: section('Its files', treeRows(files, news, {columns, height: mostTreeRows}));

type DiffOf = ReturnType<typeof itemDiff>;

const withDiff = ['checkpoint', 'review', 'limit', 'failure', 'approval'] as const;

type WithDiff = ItemOf<(typeof withDiff)[number]>;

export const hasDiff = (item: Item): item is WithDiff => withDiff.some(kind => kind === item.kind);

export const diffKey = (state: State, item: WithDiff): ResourceKey | undefined =>
	item.kind === 'approval' ? resultKey(state) : workKey(state, item.agent);

/** Returns the diff on the screen: of a work, the part that the person wants. */
export const itemDiff = ({model, view}: Context, item: WithDiff) => {
	const {state} = model;
	const isResult = item.kind === 'approval';
	const result = isResult ? lastResult(state) : undefined;
	const agent = isResult ? undefined : agentOf(state, item.agent);
	const whole = isResult ? resultKey(state) : shownWorkKey(state, item.agent, view);
	const key = asWanted(whole, view);
	return {
		key,
		files: filesIn(model, key),
		marks: isResult ? marksOfResult(state) : marksOfWork(state, item.agent),
		by: result && ((path: string) => authorsText(model, result.built, path)),
		isClaimed: claimedBy(agent),
		missing: missingFiles(agent),
		title:
			view.file === undefined
				? titles[isResult ? 'all' : shownPart(state, item.agent, view)]
				: `The diff of ${view.file?.[0]} alone; Esc shows the others`,
	};
};

const titles: Readonly<Record<WorkPart, string>> = {
	all: 'Its diff',
	new: 'Its diff since its last checkpoint',
	unlooked: 'Its diff since you last looked',
	reverted: 'Its changes outside its scope, which were reverted',
};

/** Returns the maximum rows of the bottom part; a question takes precedence over the rows above. */
const mostBottom = ({dialog}: View, height: number): number =>
	dialog.kind === 'confirm' ? height - 1 : Math.max(3, Math.floor(height * 0.45));

const heightOfBottom = (context: Context, {id, kind, choices}: InboxItem, most: number): number => {
	const {dialog, size} = context.view;
	const {state} = context.model;
	if (dialog.kind === 'confirm') {
		return Math.min(most, questionRows(context, dialog).length);
	}

	if (isWriting(dialog)) {
		const {lines} = draftLines(dialog.draft, writingColumns(size.columns));
		return Math.min(most, Math.max(3, lines.length + 1));
	}

	const ways = waysOf(state, id);
	const heightOf = (way: WayOut): number =>
		heightOfChoices(
			way.choices
				.flatMap(at => choices[at] ?? [])
				.map(one => listedName(state, kind, one, size.columns)),
			size.columns,
		);
	// Similar choices are listed below a common heading; if they don't all fit, only one heading at a time is open.
	const named = ways.filter(({choices}) => choices.length > 1);
	const all = ways.reduce((sum, way) => sum + heightOf(way), named.length);
	const folded = ways.length + Math.max(0, ...named.map(heightOf));
	return Math.min(most, Math.max(1, all <= most || named.length === 0 ? all : folded));
};

/** Returns the columns of a text field. */
export const writingColumns = (columns: number): number => columns - 4;

/** A diff in a body: its resource, its layout, and its first row. */
export type ShownDiff = DiffParts & {
	readonly resource: string;
	readonly size: DiffSize;
	readonly from: number;
};

/** A requested diff: its resource, the files that it should contain, and the words beside them. */
type RequestedDiff = {
	readonly key: ResourceKey | undefined;
	readonly files: readonly ListedFile[] | undefined;
	readonly marks: Marks;
	/** Text of an empty diff. */
	readonly none?: string;
};

const fewestForNumbers = 90;

/** Minimum columns for a side-by-side diff. */
export const fewestForSides = 100;

/** Returns a diff as a body of at most `columns`, below other rows, with its place in it; without a place before it is there. */
export const diffBody = (
	{model, view, images}: Context,
	{key: whole, ...wanted}: RequestedDiff,
	columns: number,
	above: readonly Row[] = [],
): Pick<ItemLayout, 'body' | 'diff'> => {
	const key = whatIsThere(model, whole, view);
	const marks = withContents(wanted.marks, wanted.files);
	const resource = resourceOf(model, key);
	const numbers = view.numbers ?? columns >= fewestForNumbers;
	const size = {
		...{columns, numbers, sides: view.sides && columns >= fewestForSides},
		// No commit holds the state after what was reverted.
		...(images && key?.what.of !== 'reverted' ? {images: imagesOf(wanted.files, columns)} : {}),
	};
	return {
		body: between(
			above,
			diffRows(resource, size, {
				...{...wanted, marks},
				...(key?.what.of === 'file' ? {files: undefined} : {}),
			}),
		),
		diff:
			key === undefined || resource.phase !== 'ready'
				? undefined
				: {
						...diffParts(resource, size, marks),
						...{resource: keyText(key), size, from: above.length},
					},
	};
};

const imagesOf = (files: readonly ListedFile[] = [], columns: number) =>
	files.flatMap(({path, holds}) => {
		const image = cellImage(path, holds?.[1] ?? '', columns);
		return image === undefined ? [] : [[path, image] as const];
	});

/** Adds descriptions of binary files to the words beside files. */
const withContents = (marks: Marks, files: readonly ListedFile[] = []): Marks =>
	withMarks(marks, contentsOf(files));

const contentsOf = oncePer((files: readonly ListedFile[]) =>
	files.flatMap(file => {
		const text = contentText(file);
		return text === undefined ? [] : [[file.path, text] as const];
	}),
);

/** Returns the diff with fewer context lines until the wanted one is there. */
const whatIsThere = (
	model: Model,
	key: ResourceKey | undefined,
	{file}: View,
): ResourceKey | undefined => {
	const isComing = resourceOf(model, key).phase === 'loading';
	return isComing ? asWanted(key, {file, context: undefined}) : key;
};
