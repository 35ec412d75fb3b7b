import {once, oncePer} from '../../lib/values.ts';
import type {Marks} from '../formatting/check-look.ts';
import type {Range} from '../model/view.ts';
import {type CellImage, imageCells} from '../terminal/images.ts';
import {type DiffFile, type DiffLine, wordsOfLine} from './diff.ts';
import {blank, type Row, type Rows, type Span, span, textOfRow, widthOfRow} from './row.ts';
import {type LinePair, linePairs} from './sides.ts';
import {columnsBeside, rowCountOf, wrapPlain, wrapRow} from './wrap-row.ts';

/** Width and style of a diff. */
export type DiffSize = {
	readonly columns: number;
	readonly numbers?: boolean;
	/** True if it is shown side by side. */
	readonly sides?: boolean;
	/** Images that get rows of their own, by the paths of their files. */
	readonly images?: readonly (readonly [path: string, image: CellImage])[] | undefined;
};

/** A file in the layout of a diff. Its lines are placed when they are needed, since few of thousands of files are ever in sight. */
export type FilePart = {
	readonly path: string;
	readonly file: DiffFile;
	/** Its rows, counted from the diff's first. */
	readonly rows: Range;
	/** Number of the diff's lines before its own. */
	readonly linesBefore: number;
	/** Returns the first row of its name. */
	readonly heading: () => Row;
	readonly placed: () => PlacedFile;
	/** Returns the texts of its rows, and of the blank one behind it, without placing its lines. */
	readonly texts: () => readonly string[];
};

type PlacedFile = {
	readonly lines: readonly PlacedLine[];
	readonly blocks: readonly Block[];
	readonly added: readonly Range[];
};

/** Rows of a diff that belong together; they are made lazily, since few of a long diff are ever drawn. */
type Block = {
	readonly rows: Range;
	readonly cells: readonly Row[];
};

/** A line of a file in the layout; a long one has several rows. */
export class PlacedLine implements Block {
	readonly path: string;
	readonly line: DiffLine;
	readonly rows: Range;
	readonly #columns: number;

	constructor(path: string, line: DiffLine, rows: Range, columns: number) {
		this.path = path;
		this.line = line;
		this.rows = rows;
		this.#columns = columns;
	}

	get number(): number {
		return this.line.number ?? 0;
	}

	/** Rows of the line; the line beside it may have more. */
	get cells(): readonly Row[] {
		return wrappedLine(this.line, this.#columns);
	}
}

/** Two lines side by side; either may be missing. */
class PlacedPair implements Block {
	readonly rows: Range;
	readonly #left: PlacedLine | undefined;
	readonly #right: PlacedLine | undefined;

	constructor(rows: Range, left: PlacedLine | undefined, right: PlacedLine | undefined) {
		this.rows = rows;
		this.#left = left;
		this.#right = right;
	}

	get cells(): readonly Row[] {
		const [left = [], right = []] = [this.#left?.cells, this.#right?.cells];
		return Array.from({length: this.rows[1] - this.rows[0]}, (_, index) => [
			...(left[index] ?? blank),
			divider,
			...(right[index] ?? blank),
		]);
	}
}

/** Places of a diff's files among its rows. */
export type DiffParts = {readonly files: readonly FilePart[]};

export type Layout = DiffParts & {readonly rows: Rows};

export type WantedDiff = DiffSize & {readonly marks: Marks};

/** Lays out a diff; for all of it only the numbers of rows and lines are computed. */
export const layOutDiff = (diff: readonly DiffFile[], {marks, ...size}: WantedDiff): Layout => {
	const images = new Map(size.images);
	let [length, linesBefore] = [0, 0];
	const files = diff.map((file): FilePart => {
		const image = file.lines.length === 0 ? images.get(file.path) : undefined;
		const look = {size, mark: marks.get(file.path), image};
		const from = length;
		length += heightOfFile(file, look);
		const part = {
			...({path: file.path, file, rows: [from, length], linesBefore} as const),
			heading: () => headingRows(file, size.columns, look.mark)[0] ?? blank,
			placed: once(() => placeFile(file, from, look)),
			texts: () => textsOfFile(file, look),
		};
		length += 1;
		linesBefore += lineCount(file);
		return part;
	});
	return {rows: rowsOf(files, length), files};
};

type FileLook = {
	readonly size: DiffSize;
	readonly mark: string | undefined;
	readonly image: CellImage | undefined;
};

/** Returns the number of lines of a file that have a number, and so a place of their own. */
export const lineCount = oncePer(
	({lines}: DiffFile): number => lines.filter(({number}) => number !== undefined).length,
);

const pairsOf = oncePer(({lines}: DiffFile) => linePairs(lines));

const isBesides = ({sides = false}: DiffSize, file: DiffFile): boolean =>
	sides && !isOneSided(file);

/** Returns the columns of a whole line, and of one beside another. */
const widthsOf = ({columns, numbers = false}: DiffSize) => {
	const gutter = numbers ? numberColumns : 0;
	return {whole: columns - gutter, side: columnsBeside(2, columns) - gutter};
};

const heightOfPair = ([left, ...others]: LinePair, {whole, side}: ReturnType<typeof widthsOf>) =>
	others.length === 0
		? heightOf(left, whole)
		: Math.max(heightOf(left, side), heightOf(others[0], side));

/** Returns the number of rows of a file, without the blank one behind it. */
const heightOfFile = (file: DiffFile, {size, mark, image}: FileLook): number => {
	const widths = widthsOf(size);
	let height = heightOfText(
		textOfRow(fileHeading(file, mark)).replace('−', '-'),
		size.columns,
		() => headingRows(file, size.columns, mark),
	);
	if (isBesides(size, file)) {
		for (const pair of pairsOf(file)) {
			height += heightOfPair(pair, widths);
		}
	} else {
		for (const line of file.lines) {
			height += heightOf(line, widths.whole);
		}
	}

	return height + (image?.rows ?? 0);
};

/** Places the lines of a file among the rows of the diff, and makes its other rows. */
const placeFile = (file: DiffFile, from: number, {size, mark, image}: FileLook): PlacedFile => {
	const widths = widthsOf(size);
	const {path} = file;
	const lines: PlacedLine[] = [];
	const blocks: Block[] = [];
	let at = from;
	const take = (count: number): Range => {
		at += count;
		return [at - count, at];
	};
	const put = (cells: readonly Row[]): void => {
		blocks.push({rows: take(cells.length), cells});
	};

	const place = (line: DiffLine | undefined, rows: Range, columns: number) => {
		const placed = line && new PlacedLine(path, line, rows, columns);
		if (placed?.line.number !== undefined) {
			lines.push(placed);
		}

		return placed;
	};

	const whole = (line: DiffLine): void => {
		const placed = place(line, take(heightOf(line, widths.whole)), widths.whole);
		blocks.push(...(placed === undefined ? [] : [placed]));
	};

	put(headingRows(file, size.columns, mark));
	if (isBesides(size, file)) {
		for (const pair of pairsOf(file)) {
			const [left, ...others] = pair;
			const [right] = others;
			if (others.length === 0 && left !== undefined) {
				whole(left);
			} else {
				const rows = take(heightOfPair(pair, widths));
				const first = place(left, rows, widths.side);
				const second = right === left ? first : place(right, rows, widths.side);
				blocks.push(new PlacedPair(rows, first, second));
			}
		}
	} else {
		file.lines.forEach(whole);
	}

	put([...imageRows(image), blank]);
	const added = lines.flatMap(({line, rows}) => (line.kind === 'added' ? [rows] : []));
	return {lines, blocks, added};
};

const rowsOf = (files: readonly FilePart[], length: number): Rows => ({
	length,
	slice: (from = 0, to = length) => {
		const first = firstIndex(files, ({rows: [, end]}) => end >= from);
		const end = firstIndex(files, ({rows: [begin]}) => begin >= to);
		return files.slice(first, end).flatMap(({placed}) => rowsBetween(placed().blocks, from, to));
	},
	texts: () => files.flatMap(({texts}) => texts()),
});

const imageRows = (image: CellImage | undefined): readonly Row[] =>
	image === undefined
		? []
		: Array.from({length: image.rows}, (_, row) => [{...span(imageCells(image, row)), image}]);

const textsOfFile = (file: DiffFile, {size, mark, image}: FileLook): readonly string[] => {
	const {whole, side} = widthsOf(size);
	const texts = headingRows(file, size.columns, mark).map(textOfRow);
	for (const pair of isBesides(size, file) ? pairsOf(file) : []) {
		if (pair.length === 1) {
			texts.push(...textsOfLine(pair[0], whole));
		} else {
			const left = textsOfLine(pair[0], side);
			const right = pair[1] === pair[0] ? left : textsOfLine(pair[1], side);
			for (let row = 0; row < Math.max(left.length, right.length); row++) {
				texts.push(`${left[row] ?? ''}${divider.text}${right[row] ?? ''}`);
			}
		}
	}

	for (const line of isBesides(size, file) ? [] : file.lines) {
		texts.push(...textsOfLine(line, whole));
	}

	return [...texts, ...[...imageRows(image), blank].map(textOfRow)];
};

/** Returns the texts of a line's rows; for most lines these are made without the rows. */
const textsOfLine = (line: DiffLine | undefined, columns: number): readonly string[] =>
	line !== undefined && isPlain.test(line.text)
		? wrapPlain(looks[line.kind].sign + withoutTabs(line.text), columns)
		: wrappedLine(line, columns).map(textOfRow);

const rowsBetween = (blocks: readonly Block[], from: number, to: number): readonly Row[] => {
	const first = firstIndex(blocks, ({rows: [, end]}) => end > from);
	const end = firstIndex(blocks, ({rows: [begin]}) => begin >= to);
	const begin = blocks[first]?.rows[0] ?? 0;
	return blocks
		.slice(first, end)
		.flatMap(({cells}) => cells)
		.slice(Math.max(0, from - begin), Math.max(0, to - begin));
};

export const divider = span(' │ ', 'dim');

/** Returns whether a file is new or deleted, so that no line has another one beside it. */
const isOneSided = ({lines, added, removed}: DiffFile): boolean =>
	(added === 0 || removed === 0) && lines.every(({kind}) => kind !== 'same');

const unwrapped = new WeakMap<DiffLine, {readonly rows: readonly Row[]; readonly width: number}>();

/** Returns the rows of a line; most lines fit, and have the same rows in all layouts. */
const wrappedLine = (line: DiffLine | undefined, columns: number): readonly Row[] => {
	const known = line && unwrapped.get(line);
	if (line === undefined || (known !== undefined && known.width <= columns)) {
		return known?.rows ?? [];
	}

	const rows = wrapRow(lineRow(line), columns);
	if (rows.length === 1) {
		unwrapped.set(line, {rows, width: widthOfRow(rows[0] ?? blank)});
	}

	return rows;
};

/** Returns the number of rows of a line, without making them if all its characters are one column wide. */
export const heightOf = (line: DiffLine | undefined, columns: number): number => {
	if (line === undefined || !isPlain.test(line.text)) {
		return wrappedLine(line, columns).length;
	}

	const {kind, text} = line;
	return rowCountOf(looks[kind].sign.length + withoutTabs(text).length, columns);
};

const heightOfText = (text: string, columns: number, make: () => readonly Row[]): number =>
	isPlain.test(text) ? rowCountOf(text.length, columns) : make().length;

const isPlain = /^[\t\x20-\x7e]*$/;

/** Replaces tabs by spaces; to look for one first takes a fifth of the time if there is none. */
export const withoutTabs = (text: string): string =>
	text.includes('\t') ? text.replaceAll('\t', '    ') : text;

/** Columns of a line number and a space. */
export const numberColumns = 6;

/** Returns the first index for which a condition holds, by binary search: it must hold for all further ones, too. Returns the length if there is none. */
export const firstIndex = <Value>(
	values: readonly Value[],
	holds: (value: Value) => boolean,
): number => {
	let [low, high] = [0, values.length];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		const value = values[middle];
		if (value !== undefined && holds(value)) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}

	return low;
};

/** Returns the rows of a file's name, of which only the first one counts as the file's beginning, for keys that go from file to file. */
const headingRows = (file: DiffFile, columns: number, mark?: string): readonly Row[] =>
	wrapRow(fileHeading(file, mark), columns).map((cells, index) =>
		index === 0
			? cells
			: cells.map(({text, tone}) => span(text, tone === 'file' ? 'strong' : tone)),
	);

export const fileHeading = ({path, remark, added, removed}: DiffFile, mark?: string): Row => [
	span(path, 'file'),
	span(mark === undefined ? '' : `  ${mark}`, 'warn'),
	span(remark === undefined ? '' : `  ${remark}`, 'info'),
	span(added === 0 ? '' : `  +${added}`, 'added'),
	span(removed === 0 ? '' : `  −${removed}`, 'removed'),
];

const looks = {
	location: {sign: '', tone: 'location', changed: 'location'},
	same: {sign: '  ', tone: 'plain', changed: 'plain'},
	added: {sign: '+ ', tone: 'added', changed: 'addedWord'},
	removed: {sign: '− ', tone: 'removed', changed: 'removedWord'},
	remark: {sign: '  ', tone: 'dim', changed: 'dim'},
} as const;

export const lineRow = (line: DiffLine): Row => {
	const {sign, tone, changed} = looks[line.kind];
	return [
		span(sign, tone),
		...wordsOfLine(line).map(
			(word): Span => span(withoutTabs(word.text), word.changed ? changed : tone),
		),
	];
};
