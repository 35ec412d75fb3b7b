import type {Resource} from '../../client/model.ts';
import {counted} from '../../lib/text/words.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import type {Marks} from '../formatting/check-look.ts';
import type {Range} from '../model/view.ts';
import {type CellImage, imageCells} from '../terminal/images.ts';
import {type DiffFile, type DiffLine, endedEarly, readDiff, wordsOfLine} from './diff.ts';
import {leftOutRows, wholeDiffHint} from './listed-files.ts';
import {
	between,
	blank,
	paragraph,
	type Row,
	type Rows,
	row,
	type Span,
	span,
	textOfRow,
	widthOfRow,
} from './row.ts';
import {linePairs} from './sides.ts';
import {columnsBeside, rowCountOf, wrapPlain, wrapRow} from './wrap-row.ts';

/** Width and style of a diff. */
export type DiffSize = {
	readonly columns: number;
	/** True if its lines are numbered. */
	readonly numbers?: boolean;
	/** True if it is shown side by side. */
	readonly sides?: boolean;
	/** Images that get rows of their own, by the paths of their files. */
	readonly images?: readonly (readonly [path: string, image: CellImage])[] | undefined;
};

/**
Returns a diff as rows of at most `columns`; while it is being fetched, or if that fails, a row that says so.

Long lines are wrapped and not cut, and an incomplete diff says so in its last rows; `files` are those that it should contain.
*/
export const diffRows = (
	resource: Resource | undefined,
	size: DiffSize,
	{
		marks = noMarks,
		files,
		none = 'No change.',
	}: {
		readonly marks?: Marks;
		readonly files?: readonly ListedFile[] | undefined;
		/** Text of an empty diff. */
		readonly none?: string;
	} = {},
): Rows => {
	const {columns} = size;
	if (resource === undefined || resource.phase === 'loading') {
		const {fetched, total} = resource ?? {};
		const count = fetched === undefined ? '' : ` ${fetched} of ${total} lines`;
		return [row(`Fetching the diff …${count}`, 'dim')];
	}

	if (resource.phase === 'failed') {
		return paragraph(resource.why, columns, 'warn');
	}

	const left = leftOutRows(files, columns);
	const rest = [...left, ...leftRows(resource, columns)];
	if (left.length > 0 && diffFiles(resource)?.length === 0) {
		return rest;
	}

	return between([], shownRows(resource, {...size, marks}, none), rest);
};

const shownRows = (resource: Ready, wanted: Wanted, none: string): Rows => {
	const files = diffFiles(resource);
	if (files === undefined) {
		return resource.lines.flatMap(line => wrapRow(row(line), wanted.columns));
	}

	return files.length === 0 ? [row(none, 'dim')] : layoutOf(resource, files, wanted).rows;
};

const leftRows = ({total, lines}: Ready, columns: number): readonly Row[] =>
	total > lines.length
		? paragraph(
				`… and ${counted(total - lines.length, 'more line')}, not shown here. ${wholeDiffHint}`,
				columns,
				'warn',
			)
		: [];

const noMarks: Marks = new Map();

type Ready = Extract<Resource, {phase: 'ready'}>;

const read = new WeakMap<Ready, readonly DiffFile[] | 'unreadable'>();

/** Returns the files of a diff, or nothing if it can't be parsed; each resource is parsed once. */
export const diffFiles = (resource: Ready): readonly DiffFile[] | undefined => {
	const known = read.get(resource) ?? tryRead(resource);
	read.set(resource, known);
	return known === 'unreadable' ? undefined : known;
};

const tryRead = ({lines, total}: Ready): readonly DiffFile[] | 'unreadable' => {
	try {
		return readDiff((total > lines.length ? endedEarly(lines) : lines).join('\n'));
	} catch {
		return 'unreadable';
	}
};

/** Returns the name of a file and the first lines of its diff as rows. */
export const firstRows = (file: DiffFile, lines: number): readonly Row[] => [
	headingOf(file),
	...file.lines.slice(0, lines).map(lineRow),
];

/** A file in the layout of a diff: its rows, counted from the diff's first, and the rows of each added line. */
export type FilePart = {
	readonly path: string;
	readonly file: DiffFile;
	readonly rows: Range;
	readonly added: readonly Range[];
};

/** Rows of a diff that belong together; they are made lazily, since few of a long diff are ever drawn. */
type Block = {
	readonly rows: Range;
	readonly cells: readonly Row[];
	readonly texts: readonly string[];
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

	/** Texts of the rows; for most lines these are made without the rows. */
	get texts(): readonly string[] {
		const {kind, text} = this.line;
		return isPlain.test(text)
			? wrapPlain(looks[kind].sign + withoutTabs(text), this.#columns)
			: this.cells.map(textOfRow);
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

	get texts(): readonly string[] {
		const [left = [], right = []] = [this.#left?.texts, this.#right?.texts];
		return Array.from(
			{length: this.rows[1] - this.rows[0]},
			(_, index) => `${left[index] ?? ''}${divider.text}${right[index] ?? ''}`,
		);
	}
}

/** Places of a diff's files and lines among its rows. */
export type DiffParts = {
	readonly files: readonly FilePart[];
	readonly lines: readonly PlacedLine[];
};

/** Returns the places of a diff's parts among its rows; none if it isn't there, or can't be parsed. */
export const diffParts = (
	resource: Resource | undefined,
	size: DiffSize,
	marks: Marks = noMarks,
): DiffParts => {
	const files = resource?.phase === 'ready' ? diffFiles(resource) : undefined;
	return resource?.phase === 'ready' && files !== undefined
		? layoutOf(resource, files, {...size, marks})
		: {files: [], lines: []};
};

type Layout = DiffParts & {readonly rows: Rows};

type Wanted = DiffSize & {readonly marks: Marks};

const layouts = new WeakMap<Ready, Map<string, Layout>>();

/** Maximum number of cached layouts, enough to change between two: each of a long diff takes megabytes. */
const mostLayouts = 3;

/** Returns the layout of a diff for a width and marks, cached because each key and each frame needs all of it. */
const layoutOf = (resource: Ready, files: readonly DiffFile[], size: Wanted): Layout => {
	const wanted = JSON.stringify([layoutName(size), ...size.marks]);
	const known = layouts.get(resource) ?? new Map<string, Layout>();
	const layout = known.get(wanted) ?? layOut(files, size);
	layouts.set(resource, known.set(wanted, layout));
	if (known.size > mostLayouts) {
		const [oldest = wanted] = known.keys();
		known.delete(oldest);
	}

	return layout;
};

/** Returns the name of a layout; each layout has other rows. */
export const layoutName = ({columns, numbers = false, sides = false, images}: DiffSize): string =>
	JSON.stringify([columns, numbers, sides, images]);

/** Lays out a diff; for all of it only the first row of each line is computed. */
const layOut = (diff: readonly DiffFile[], {marks, ...size}: Wanted): Layout => {
	const {columns} = size;
	const images = new Map(size.images);
	const lines: PlacedLine[] = [];
	const blocks: Block[] = [];
	let length = 0;
	const take = (count: number): Range => {
		length += count;
		return [length - count, length];
	};
	const put = (cells: readonly Row[]): void => {
		blocks.push({rows: take(cells.length), cells, texts: cells.map(textOfRow)});
	};

	const gutter = size.numbers ? numberColumns : 0;
	const wholeWidth = columns - gutter;
	const width = columnsBeside(2, columns) - gutter;
	const files = diff.map((file): FilePart => {
		const {path} = file;
		const from = length;
		put(headingRows(file, columns, marks.get(path)));
		const added: Range[] = [];
		const place = (line: DiffLine | undefined, at: Range, columns: number) => {
			const placed = line && new PlacedLine(path, line, at, columns);
			if (line?.kind === 'added') {
				added.push(at);
			}

			if (placed?.line.number !== undefined) {
				lines.push(placed);
			}

			return placed;
		};

		const whole = (line: DiffLine): void => {
			const placed = place(line, take(heightOf(line, wholeWidth)), wholeWidth);
			blocks.push(...(placed === undefined ? [] : [placed]));
		};

		if (size.sides === true && !isOneSided(file)) {
			for (const [left, ...others] of linePairs(file.lines)) {
				const [right] = others;
				if (others.length === 0 && left !== undefined) {
					whole(left);
				} else {
					const heights = [left, right].map(line => heightOf(line, width));
					const at = take(Math.max(...heights));
					const first = place(left, at, width);
					const second = right === left ? first : place(right, at, width);
					blocks.push(new PlacedPair(at, first, second));
				}
			}
		} else {
			file.lines.forEach(whole);
		}

		const image = file.lines.length === 0 ? images.get(path) : undefined;
		if (image !== undefined) {
			put(Array.from({length: image.rows}, (_, row) => [{...span(imageCells(image, row)), image}]));
		}

		const end = length;
		put([blank]);
		return {path, file, rows: [from, end], added};
	});
	return {rows: rowsOf(blocks, length), files, lines};
};

const rowsOf = (blocks: readonly Block[], length: number): Rows => ({
	length,
	slice: (from = 0, to = length) => {
		const first = firstIndex(blocks, ({rows: [, end]}) => end > from);
		const end = firstIndex(blocks, ({rows: [begin]}) => begin >= to);
		const begin = blocks[first]?.rows[0] ?? 0;
		return blocks
			.slice(first, end)
			.flatMap(({cells}) => cells)
			.slice(from - begin, to - begin);
	},
	texts: () => blocks.flatMap(({texts}) => texts),
});

const divider = span(' │ ', 'dim');

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

const isPlain = /^[\t\x20-\x7e]*$/;

/** Replaces tabs by spaces. */
export const withoutTabs = (text: string): string => text.replaceAll('\t', '    ');

/** Columns of a line number and a space. */
const numberColumns = 6;

/** Draws one row of a line, with the number in its first row. */
export type DrawLine = (placed: PlacedLine, row: number, number: Row) => Row;

/** Returns a row of a diff with its lines drawn; other rows are unchanged, and start left of the numbers. */
export const drawnRow = (
	plain: Row,
	{lines, size}: DiffParts & {readonly size: DiffSize},
	row: number,
	draw: DrawLine,
): Row => {
	const here = linesAt(lines, row);
	const gutter = (text = ''): Row =>
		size.numbers
			? [span(`${text.slice(1 - numberColumns).padStart(numberColumns - 1)} `, 'dim')]
			: [];
	const drawn = (placed: PlacedLine | undefined, number: number | undefined): Row =>
		placed === undefined || row >= placed.rows[0] + placed.cells.length
			? blank
			: draw(placed, row, gutter(placed.rows[0] === row ? `${number}` : ''));
	const beside = (left: Row, right: Row): Row => {
		const free = columnsBeside(2, size.columns) - widthOfRow(left);
		return [...left, span(' '.repeat(Math.max(0, free))), divider, ...right];
	};

	const [first] = here;
	const middle = plain.indexOf(divider);
	if (middle === -1) {
		return first === undefined ? plain : drawn(first, first.number);
	}

	const left = here.find(({line}) => line.kind !== 'added');
	const right = here.find(({line}) => line.kind !== 'removed');
	return first === undefined
		? beside([...gutter(), ...plain.slice(0, middle)], plain.slice(middle + 1))
		: beside(drawn(left, left?.line.before ?? left?.number), drawn(right, right?.number));
};

/** Returns the line of a diff at a column of a row. */
export const lineUnder = (
	{lines, size}: DiffParts & {readonly size: DiffSize},
	row: number,
	column: number,
): PlacedLine | undefined => {
	const other = column <= columnsBeside(2, size.columns) + 1 ? 'added' : 'removed';
	const here = linesAt(lines, row);
	return size.sides && here.length > 1 ? here.find(({line}) => line.kind !== other) : here[0];
};

/** Returns the lines of a row: two if it is side by side. */
const linesAt = (lines: readonly PlacedLine[], row: number): readonly PlacedLine[] => {
	const at = firstIndex(lines, ({rows: [, end]}) => end > row);
	return lines.slice(at, at + 2).filter(({rows: [from]}) => from <= row);
};

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
	wrapRow(headingOf(file, mark), columns).map((cells, index) =>
		index === 0
			? cells
			: cells.map(({text, tone}) => span(text, tone === 'file' ? 'strong' : tone)),
	);

const headingOf = ({path, remark, added, removed}: DiffFile, mark?: string): Row => [
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

/** Returns a line of a diff as a row, with the sign of its kind. */
export const lineRow = (line: DiffLine): Row => {
	const {sign, tone, changed} = looks[line.kind];
	return [
		span(sign, tone),
		...wordsOfLine(line).map(
			(word): Span => span(withoutTabs(word.text), word.changed ? changed : tone),
		),
	];
};
