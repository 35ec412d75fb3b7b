import type {Resource} from '../../client/model.ts';
import {attempt} from '../../lib/failure.ts';
import {counted} from '../../lib/text/words.ts';
import {dropOldest, oncePer} from '../../lib/values.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import type {Marks} from '../formatting/check-look.ts';
import {type DiffFile, endedEarly, readDiff} from './diff.ts';
import {
	type DiffParts,
	type DiffSize,
	divider,
	type FilePart,
	fileHeading,
	firstIndex,
	type Layout,
	layOutDiff,
	lineCount,
	lineRow,
	numberColumns,
	type PlacedLine,
	type WantedDiff,
} from './diff-layout.ts';
import {leftOutRows, wholeDiffHint} from './listed-files.ts';
import {between, blank, paragraph, type Row, type Rows, row, span, widthOfRow} from './row.ts';
import {columnsBeside, wrapRow} from './wrap-row.ts';

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

const shownRows = (resource: Ready, wanted: WantedDiff, none: string): Rows => {
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

/** Returns the files of a diff, or nothing if it can't be parsed; each resource is parsed once. */
export const diffFiles = oncePer(({lines, total}: Ready) =>
	attempt(() => readDiff((total > lines.length ? endedEarly(lines) : lines).join('\n'))),
);

export const firstRows = (file: DiffFile, lines: number): readonly Row[] => [
	fileHeading(file),
	...file.lines.slice(0, lines).map(lineRow),
];

/** Returns the places of a diff's files among its rows; none if it isn't there, or can't be parsed. */
export const diffParts = (
	resource: Resource | undefined,
	size: DiffSize,
	marks: Marks = noMarks,
): DiffParts => {
	const files = resource?.phase === 'ready' ? diffFiles(resource) : undefined;
	return resource?.phase === 'ready' && files !== undefined
		? layoutOf(resource, files, {...size, marks})
		: {files: []};
};

const layouts = new WeakMap<Ready, Map<string, Layout>>();

/** Maximum number of cached layouts, enough to change between two: each of a long diff takes megabytes. */
const mostLayouts = 3;

/** Returns the layout of a diff for a width and marks, cached because each key and each frame needs all of it. */
const layoutOf = (resource: Ready, files: readonly DiffFile[], size: WantedDiff): Layout => {
	const wanted = JSON.stringify([layoutName(size), ...size.marks]);
	const known = layouts.get(resource) ?? new Map<string, Layout>();
	const layout = known.get(wanted) ?? layOutDiff(files, size);
	layouts.set(resource, known.set(wanted, layout));
	dropOldest(known, mostLayouts);
	return layout;
};

/** Returns the name of a layout; each layout has other rows. */
export const layoutName = ({columns, numbers = false, sides = false, images}: DiffSize): string =>
	JSON.stringify([columns, numbers, sides, images]);

/** Draws one row of a line, with the number in its first row. */
export type DrawLine = (placed: PlacedLine, row: number, number: Row) => Row;

/** Returns a row of a diff with its lines drawn; other rows are unchanged, and start left of the numbers. */
export const drawnRow = (
	plain: Row,
	{files, size}: DiffParts & {readonly size: DiffSize},
	row: number,
	draw: DrawLine,
): Row => {
	const here = linesAt(files, row);
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

export const lineUnder = (
	{files, size}: DiffParts & {readonly size: DiffSize},
	row: number,
	column: number,
): PlacedLine | undefined => {
	const other = column <= columnsBeside(2, size.columns) + 1 ? 'added' : 'removed';
	const here = linesAt(files, row);
	return size.sides && here.length > 1 ? here.find(({line}) => line.kind !== other) : here[0];
};

/** Returns the lines of a row: two if it is side by side. */
const linesAt = (files: readonly FilePart[], row: number): readonly PlacedLine[] => {
	const lines = partAt(files, row)?.placed().lines ?? [];
	const at = firstIndex(lines, ({rows: [, end]}) => end > row);
	return lines.slice(at, at + 2).filter(({rows: [from]}) => from <= row);
};

/** Returns the file of a row, or the next one behind it. */
const partAt = (files: readonly FilePart[], row: number): FilePart | undefined =>
	files[firstIndex(files, ({rows: [, end]}) => end > row)];

/** Returns the files with rows in a range. */
export const partsBetween = (
	files: readonly FilePart[],
	from: number,
	to: number,
): readonly FilePart[] =>
	files.slice(
		firstIndex(files, ({rows: [, end]}) => end > from),
		firstIndex(files, ({rows: [begin]}) => begin >= to),
	);

export const linesAround = ({files}: DiffParts, {rows: [row]}: PlacedLine) =>
	partAt(files, row)?.placed().lines ?? [];

/** Returns the lines that begin at or below a row. */
export function* linesFrom({files}: DiffParts, row: number): Generator<PlacedLine> {
	for (const {placed} of files.slice(firstIndex(files, ({rows: [, end]}) => end > row))) {
		const {lines} = placed();
		yield* lines.slice(firstIndex(lines, ({rows: [from]}) => from >= row));
	}
}

/** Returns the line at an index among all lines of a diff, and the lines of its file from their first index on. */
export const lineAtIndex = ({files}: DiffParts, at: number) => {
	const part = files[firstIndex(files, ({linesBefore}) => linesBefore > at) - 1];
	const {linesBefore: first = 0} = part ?? {};
	const lines = part?.placed().lines ?? [];
	return {line: lines[at - first], lines, first};
};

/** Returns the index of a line among all lines of a diff, in any of its layouts; -1 if it isn't there. */
export const indexOfLine = ({files}: DiffParts, {path, line}: PlacedLine): number => {
	const part = files.find(one => one.path === path && one.file.lines.includes(line));
	const at = part?.placed().lines.findIndex(one => one.line === line);
	return part === undefined || at === undefined ? -1 : part.linesBefore + at;
};

export const countLines = ({files}: DiffParts): number => {
	const last = files.at(-1);
	return last === undefined ? 0 : last.linesBefore + lineCount(last.file);
};
