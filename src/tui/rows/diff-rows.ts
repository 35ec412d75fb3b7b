import type {Paper} from '../../client/model.ts';
import {type DiffFile, type DiffLine, readDiff} from './diff.ts';
import {blank, type Row, row, type Span, span} from './row.ts';
import type {Marks} from './surface-look.ts';
import {counted} from './text.ts';

/** Returns a diff as rows; while it is being fetched, or when it can't be, a row that says so. */
export const diffRows = (paper: Paper | undefined, marks: Marks = noMarks): readonly Row[] => {
	if (paper === undefined || paper.phase === 'loading') {
		return [row('Fetching the diff …', 'dim')];
	}

	if (paper.phase === 'failed') {
		return [row(paper.why, 'warn')];
	}

	const files = filesOf(paper);
	if (files === undefined) {
		return paper.lines.map(line => row(line));
	}

	const shown = files.flatMap(file => [
		headingOf(file, marks.get(file.path)),
		...lineRows(file),
		blank,
	]);
	return [
		...(files.length === 0 ? [row('No change.', 'dim')] : shown),
		...(paper.total > paper.lines.length
			? [row(`… and ${paper.total - paper.lines.length} more lines, not shown here`, 'warn')]
			: []),
	];
};

const noMarks: Marks = new Map();

type Ready = Extract<Paper, {phase: 'ready'}>;

const read = new WeakMap<Ready, readonly DiffFile[] | 'unreadable'>();

/** Returns the files of a diff, or nothing when it can't be read as one; each paper is read once. */
export const filesOf = (paper: Ready): readonly DiffFile[] | undefined => {
	const known = read.get(paper) ?? tryRead(paper);
	read.set(paper, known);
	return known === 'unreadable' ? undefined : known;
};

const tryRead = ({lines}: Ready): readonly DiffFile[] | 'unreadable' => {
	try {
		return readDiff(lines.join('\n'));
	} catch {
		return 'unreadable';
	}
};

/** Returns the name of a file and the first lines of its diff as rows. */
export const firstRows = (file: DiffFile, lines: number): readonly Row[] => [
	headingOf(file),
	...file.lines.slice(0, lines).map(lineRow),
];

const knownRows = new WeakMap<DiffFile, readonly Row[]>();

const lineRows = (file: DiffFile): readonly Row[] => {
	const known = knownRows.get(file) ?? file.lines.map(lineRow);
	knownRows.set(file, known);
	return known;
};

/** Returns the row that names a file and counts its changed lines, with the words that mark it. */
export const headingOf = ({path, remark, added, removed}: DiffFile, mark?: string): Row => [
	span(path, 'file'),
	span(mark === undefined ? '' : `  ${mark}`, 'warn'),
	span(remark === undefined ? '' : `  ${remark}`, 'info'),
	span(added === 0 ? '' : `  +${added}`, 'added'),
	span(removed === 0 ? '' : `  −${removed}`, 'removed'),
];

/** Returns whether a row begins a file, for keys that go from file to file. */
export const isHeading = (candidate: Row): boolean => candidate.some(({tone}) => tone === 'file');

const looks = {
	place: {sign: '', tone: 'place', changed: 'place'},
	same: {sign: '  ', tone: 'plain', changed: 'plain'},
	added: {sign: '+ ', tone: 'added', changed: 'addedWord'},
	removed: {sign: '− ', tone: 'removed', changed: 'removedWord'},
	remark: {sign: '  ', tone: 'dim', changed: 'dim'},
} as const;

const lineRow = ({kind, words}: DiffLine): Row => {
	const {sign, tone, changed} = looks[kind];
	return [
		span(sign, tone),
		...words.map(
			(word): Span => span(word.text.replaceAll('\t', '    '), word.changed ? changed : tone),
		),
	];
};

/** Returns `3 files, +10 −2`. */
export const totalOf = (files: readonly DiffFile[]): string => {
	const sum = (count: (file: DiffFile) => number) =>
		files.reduce((total, file) => total + count(file), 0);
	return `${counted(files.length, 'file')}, +${sum(({added}) => added)} −${sum(({removed}) => removed)}`;
};
