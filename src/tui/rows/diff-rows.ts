import type {Resource} from '../../client/model.ts';
import {counted} from '../../lib/text/words.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import type {Marks} from '../formatting/check-look.ts';
import type {Range} from '../model/view.ts';
import {type DiffFile, type DiffLine, endedEarly, readDiff} from './diff.ts';
import {leftOutRows, wholeDiffHint} from './listed-files.ts';
import {blank, paragraph, type Row, row, type Span, span} from './row.ts';
import {goesOn, wrapRow} from './wrap-row.ts';

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
	}: {readonly marks?: Marks; readonly files?: readonly ListedFile[] | undefined} = {},
): readonly Row[] => {
	if (resource === undefined || resource.phase === 'loading') {
		return [row('Fetching the diff …', 'dim')];
	}

	if (resource.phase === 'failed') {
		return paragraph(resource.why, columns, 'warn');
	}

	const left = leftOutRows(files, columns);
	return [
		...(left.length > 0 && filesOf(resource)?.length === 0
			? []
			: shownRows(resource, columns, marks)),
		...left,
		...leftRows(resource, columns),
	];
};

const shownRows = (resource: Ready, columns: number, marks: Marks): readonly Row[] => {
	const files = filesOf(resource);
	if (files === undefined) {
		return resource.lines.flatMap(line => wrapRow(row(line), columns));
	}

	return files.length === 0
		? [row('No change.', 'dim')]
		: files.flatMap(file => [
				...headingRows(file, columns, marks.get(file.path)),
				...lineRows(file, columns),
				blank,
			]);
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
export const filesOf = (resource: Ready): readonly DiffFile[] | undefined => {
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

/** Returns where in the rows of a diff its files are; none where it isn't there, or can't be read as one. */
export const fileParts = (
	resource: Resource | undefined,
	columns: number,
	marks: Marks = noMarks,
): readonly FilePart[] => {
	let from = 0;
	return (resource?.phase === 'ready' ? (filesOf(resource) ?? []) : []).map(file => {
		const first = from + headingRows(file, columns, marks.get(file.path)).length;
		const lines = lineRows(file, columns);
		const rows: Range = [from, first + lines.length];
		from = first + lines.length + 1;
		return {
			path: file.path,
			rows,
			added: addedIn(lines).map(([start, end]): Range => [start + first, end + first]),
		};
	});
};

const added = new WeakMap<readonly Row[], readonly Range[]>();

const addedIn = (rows: readonly Row[]): readonly Range[] => {
	const known = added.get(rows) ?? addedLines(rows);
	added.set(rows, known);
	return known;
};

type LaidOut = {readonly columns: number; readonly rows: readonly Row[]};

const laidOut = new WeakMap<DiffFile, LaidOut>();

const lineRows = (file: DiffFile, columns: number): readonly Row[] => {
	const known = laidOut.get(file);
	if (known?.columns === columns) {
		return known.rows;
	}

	const rows = file.lines.flatMap(line => wrapRow(lineRow(line), columns));
	laidOut.set(file, {columns, rows});
	return rows;
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

/** Returns which of the rows of a diff belong to each line that it adds; a long one has several. */
export const addedLines = (rows: readonly Row[]): readonly Range[] => {
	const lines: [number, number][] = [];
	let last: [number, number] | undefined;
	for (const [index, [first]] of rows.entries()) {
		if (first?.text === looks.added.sign && first.tone === 'added') {
			last = [index, index + 1];
			lines.push(last);
		} else if (last !== undefined && first?.text === goesOn) {
			last[1] = index + 1;
		} else {
			last = undefined;
		}
	}

	return lines;
};

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
