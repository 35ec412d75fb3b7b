import type {Resource} from '../../client/model.ts';
import {counted} from '../../lib/text/words.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import type {Marks} from '../formatting/check-look.ts';
import type {Range} from '../model/view.ts';
import {type DiffFile, type DiffLine, endedEarly, readDiff} from './diff.ts';
import {leftOutRows, wholeDiffHint} from './listed-files.ts';
import {blank, paragraph, type Row, row, type Span, span} from './row.ts';
import {wrapRow} from './wrap-row.ts';

/**
Returns a diff as rows of at most that many columns; while it is being fetched, or when it can't be, a row that says so.

Nothing of it is cut at the edge, and where it isn't all there its last rows say so; `files` are those that it should hold.
*/
export const diffRows = (
	resource: Resource | undefined,
	columns: number,
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
	if (resource === undefined || resource.phase === 'loading') {
		return [row('Fetching the diff …', 'dim')];
	}

	if (resource.phase === 'failed') {
		return paragraph(resource.why, columns, 'warn');
	}

	const left = leftOutRows(files, columns);
	const rest = [...left, ...leftRows(resource, columns)];
	if (left.length > 0 && filesOf(resource)?.length === 0) {
		return rest;
	}

	const shown = shownRows(resource, {columns, marks}, none);
	return rest.length === 0 ? shown : [...shown, ...rest];
};

const shownRows = (resource: Ready, {columns, marks}: Wanted, none: string): readonly Row[] => {
	const files = filesOf(resource);
	if (files === undefined) {
		return resource.lines.flatMap(line => wrapRow(row(line), columns));
	}

	return files.length === 0 ? [row(none, 'dim')] : layoutOf(resource, files, {columns, marks}).rows;
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
const filesOf = (resource: Ready): readonly DiffFile[] | undefined => {
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
	readonly rows: Range;
	readonly added: readonly Range[];
};

/** A line of a file as it is laid out; a long one has several rows. */
export type PlacedLine = {
	readonly path: string;
	readonly line: DiffLine;
	readonly number: number;
	readonly rows: Range;
};

/** Where in the rows of a diff its files are, and their lines. */
export type DiffParts = {
	readonly files: readonly FilePart[];
	readonly lines: readonly PlacedLine[];
};

/** Returns where in the rows of a diff its parts are; none where it isn't there, or can't be read as one. */
export const diffParts = (
	resource: Resource | undefined,
	columns: number,
	marks: Marks = noMarks,
): DiffParts => {
	const files = resource?.phase === 'ready' ? filesOf(resource) : undefined;
	return resource?.phase === 'ready' && files !== undefined
		? layoutOf(resource, files, {columns, marks})
		: {files: [], lines: []};
};

type Layout = DiffParts & {readonly rows: readonly Row[]};

type Wanted = {readonly columns: number; readonly marks: Marks};

const layouts = new WeakMap<Ready, Layout & {readonly wanted: string}>();

/** Lays a diff out once for a width and its marks, since each key and each frame asks for all of it. */
const layoutOf = (
	resource: Ready,
	files: readonly DiffFile[],
	{columns, marks}: Wanted,
): Layout => {
	const wanted = JSON.stringify([columns, ...marks]);
	const known = layouts.get(resource);
	if (known?.wanted === wanted) {
		return known;
	}

	const layout = {...layOut(files, {columns, marks}), wanted};
	layouts.set(resource, layout);
	return layout;
};

const layOut = (diff: readonly DiffFile[], {columns, marks}: Wanted): Layout => {
	const rows: Row[] = [];
	const lines: PlacedLine[] = [];
	const put = (cells: readonly Row[]): Range => {
		const from = rows.length;
		for (const row of cells) {
			rows.push(row);
		}

		return [from, rows.length];
	};

	const files = diff.map(({path, ...file}): FilePart => {
		const [from] = put(headingRows({path, ...file}, columns, marks.get(path)));
		const added: Range[] = [];
		for (const line of file.lines) {
			const at = put(wrapRow(lineRow(line), columns));
			if (line.kind === 'added') {
				added.push(at);
			}

			if (line.number !== undefined) {
				lines.push({path, line, number: line.number, rows: at});
			}
		}

		const end = rows.length;
		put([blank]);
		return {path, rows: [from, end], added};
	});
	return {rows, files, lines};
};

/** Columns for the number of a line, and a space. */
export const numberColumns = 6;

/** Returns a row of a diff behind the number of its line; only its first row has it, and what is no line is set out to the left. */
export const withNumber = (cells: Row, {lines}: Pick<DiffParts, 'lines'>, row: number): Row => {
	const placed = lineAt(lines, row);
	const shown = placed?.rows[0] === row ? `${placed.number}`.slice(1 - numberColumns) : '';
	return placed === undefined
		? cells
		: [span(`${shown.padStart(numberColumns - 1)} `, 'dim'), ...cells];
};

/** Returns the line of a diff that a row of it belongs to, if it does to one. */
export const lineAt = (lines: readonly PlacedLine[], row: number): PlacedLine | undefined => {
	const line = lines[firstIndex(lines, ({rows: [, end]}) => end > row)];
	return line !== undefined && line.rows[0] <= row ? line : undefined;
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

/** Returns whether a row begins a file, for keys that go from file to file. */
export const isHeading = (candidate: Row): boolean => candidate.some(({tone}) => tone === 'file');

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
