import type {Resource} from '../../client/model.ts';
import {counted} from '../../lib/text/words.ts';
import {oncePer} from '../../lib/values.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import type {Marks} from '../formatting/check-look.ts';
import type {Range} from '../model/view.ts';
import {type DiffFile, type DiffLine, endedEarly, readDiff} from './diff.ts';
import {leftOutRows, wholeDiffHint} from './listed-files.ts';
import {blank, paragraph, type Row, type Rows, row, type Span, span, widthOfRow} from './row.ts';
import {type LinePair, linePairs} from './sides.ts';
import {columnsBeside, wrapRow} from './wrap-row.ts';

/** How wide a diff is drawn, and how. */
export type DiffSize = {
	readonly columns: number;
	/** Whether its lines are numbered. */
	readonly numbers?: boolean;
	/** Whether what was stands beside what is. */
	readonly sides?: boolean;
};

/**
Returns a diff as rows of at most that many columns; while it is being fetched, or when it can't be, a row that says so.

Nothing of it is cut at the edge, and where it isn't all there its last rows say so; `files` are those that it should hold.
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
		/** What is said where nothing differs. */
		readonly none?: string;
	} = {},
): readonly Row[] => {
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

	const shown = shownRows(resource, {...size, marks}, none);
	return rest.length === 0 ? shown : [...shown, ...rest];
};

const shownRows = (resource: Ready, wanted: Wanted, none: string): readonly Row[] => {
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

/** Returns the files of a diff, or nothing when it can't be read as one; each resource is read once. */
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

/** A file of a diff as it is laid out: its rows, counted from the diff's first, and of those the ones of each line that it adds. */
export type FilePart = {
	readonly path: string;
	readonly file: DiffFile;
	readonly rows: Range;
	readonly added: readonly Range[];
};

/** A line of a file as it is laid out; a long one has several rows. */
export type PlacedLine = {
	readonly path: string;
	readonly line: DiffLine;
	readonly number: number;
	readonly rows: Range;
	/** What stands in these rows of it; one beside it may have more. */
	readonly cells: readonly Row[];
};

/** Where in the rows of a diff its files are, and their lines. */
export type DiffParts = {
	readonly files: readonly FilePart[];
	readonly lines: readonly PlacedLine[];
};

/** Returns where in the rows of a diff its parts are; none where it isn't there, or can't be read as one. */
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

type Layout = DiffParts & {readonly rows: readonly Row[]};

type Wanted = DiffSize & {readonly marks: Marks};

const layouts = new WeakMap<Ready, Layout & {readonly wanted: string}>();

/** Lays a diff out once for a width and its marks, since each key and each frame asks for all of it. */
const layoutOf = (resource: Ready, files: readonly DiffFile[], size: Wanted): Layout => {
	const wanted = JSON.stringify([layoutName(size), ...size.marks]);
	const known = layouts.get(resource);
	if (known?.wanted === wanted) {
		return known;
	}

	const layout = {...layOut(files, size), wanted};
	layouts.set(resource, layout);
	return layout;
};

/** Names a layout: in another one, other rows hold a line. */
export const layoutName = ({columns, numbers = false, sides = false}: DiffSize): string =>
	JSON.stringify([columns, numbers, sides]);

const layOut = (diff: readonly DiffFile[], {marks, ...size}: Wanted): Layout => {
	const {columns} = size;
	const rows: Row[] = [];
	const lines: PlacedLine[] = [];
	const put = (cells: readonly Row[]): Range => {
		const from = rows.length;
		for (const row of cells) {
			rows.push(row);
		}

		return [from, rows.length];
	};

	const gutter = size.numbers ? numberColumns : 0;
	const wholeWidth = columns - gutter;
	const width = columnsBeside(2, columns) - gutter;
	const files = diff.map((file): FilePart => {
		const {path} = file;
		const [from] = put(headingRows(file, columns, marks.get(path)));
		const added: Range[] = [];
		const place = (line: DiffLine | undefined, at: Range, cells: readonly Row[]): void => {
			if (line?.kind === 'added') {
				added.push(at);
			}

			if (line?.number !== undefined) {
				lines.push({path, line, number: line.number, rows: at, cells});
			}
		};

		const isBeside = size.sides === true && !isOneSided(file);
		for (const [line, ...others] of isBeside ? linePairs(file.lines) : alone(file.lines)) {
			const [other] = others;
			const isWhole = others.length === 0;
			const left = wrappedLine(line, isWhole ? wholeWidth : width);
			const right = other === line ? left : wrappedLine(other, width);
			const at = put(isWhole ? left : undrawn(left, right));
			place(line, at, left);
			place(other === line ? undefined : other, at, right);
		}

		const end = rows.length;
		put([blank]);
		return {path, file, rows: [from, end], added};
	});
	return {rows, files, lines};
};

/** Joins what stands side by side for whoever searches it; each side gets its columns when it is drawn. */
const undrawn = (left: readonly Row[], right: readonly Row[]): readonly Row[] =>
	Array.from({length: Math.max(left.length, right.length)}, (_, index) => [
		...(left[index] ?? blank),
		divider,
		...(right[index] ?? blank),
	]);

const divider = span(' │ ', 'dim');

/** A file that is new, or gone, has nothing that could stand beside it. */
const isOneSided = ({lines, added, removed}: DiffFile): boolean =>
	(added === 0 || removed === 0) && lines.every(({kind}) => kind !== 'same');

const alone = (lines: readonly DiffLine[]): readonly LinePair[] => lines.map(line => [line]);

const unwrapped = new WeakMap<DiffLine, {readonly rows: readonly Row[]; readonly width: number}>();

/** Most lines fit, however a diff is laid out, and are the same rows then. */
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

/** Columns for the number of a line, and a space. */
const numberColumns = 6;

/** Draws the part of a line that stands in a row of it, its number before its first one. */
export type DrawLine = (placed: PlacedLine, row: number, number: Row) => Row;

/** Returns a row of a diff with its lines drawn; what is no line stays as it is, set out to the left of the numbers. */
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

/** Returns the line of a diff that is drawn in a column of a row. */
export const lineUnder = (
	{lines, size}: DiffParts & {readonly size: DiffSize},
	row: number,
	column: number,
): PlacedLine | undefined => {
	const other = column <= columnsBeside(2, size.columns) + 1 ? 'added' : 'removed';
	const here = linesAt(lines, row);
	return size.sides && here.length > 1 ? here.find(({line}) => line.kind !== other) : here[0];
};

/** Returns the lines of a diff that a row of it belongs to: two where one stands beside the other. */
const linesAt = (lines: readonly PlacedLine[], row: number): readonly PlacedLine[] => {
	const at = firstIndex(lines, ({rows: [, end]}) => end > row);
	return lines.slice(at, at + 2).filter(({rows: [from]}) => from <= row);
};

/** Returns the first index for which a condition holds that holds for all behind it, too; the length where it holds for none. */
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

/** Only the first row of a long name begins the file, for keys that go from file to file. */
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

/** Returns the rows that begin a file, by their places, for keys that go from file to file. */
export const headingsIn = oncePer((rows: Rows): readonly number[] =>
	rows.slice().flatMap((row, index) => (row.some(({tone}) => tone === 'file') ? [index] : [])),
);

const looks = {
	location: {sign: '', tone: 'location', changed: 'location'},
	same: {sign: '  ', tone: 'plain', changed: 'plain'},
	added: {sign: '+ ', tone: 'added', changed: 'addedWord'},
	removed: {sign: '− ', tone: 'removed', changed: 'removedWord'},
	remark: {sign: '  ', tone: 'dim', changed: 'dim'},
} as const;

/** Returns a line of a diff as a row, with a sign for what it is. */
export const lineRow = ({kind, words}: DiffLine): Row => {
	const {sign, tone, changed} = looks[kind];
	return [
		span(sign, tone),
		...words.map(
			(word): Span => span(word.text.replaceAll('\t', '    '), word.changed ? changed : tone),
		),
	];
};
