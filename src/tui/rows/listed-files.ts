import type {Resource} from '../../client/model.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {counted} from '../../lib/text/words.ts';
import {oncePer} from '../../lib/values.ts';
import {
	contentText,
	isTooLong,
	type ListedFile,
	listedFile,
	repeatedChanges,
} from '../../rules/listed-file.ts';
import {paragraph, type Row, section, span} from './row.ts';
import {wrapRow} from './wrap-row.ts';

/** Reads a list of changed files; returns nothing while it is incomplete, since missing files would be taken for unchanged. */
export const listedFiles = oncePer((resource: Resource): readonly ListedFile[] | undefined => {
	if (resource.phase !== 'ready') {
		return undefined;
	}

	const {lines, total} = resource;
	const told = lines.filter(line => line !== '');
	const files = told.flatMap(line => listedFile.safeParse(readJsonObject(line)).data ?? []);
	return total > lines.length || files.length < told.length ? undefined : files;
});

/** Returns `3 files, +10 −2`; a renamed file counts as two, like in git: the deleted one and the new one. */
export const totalOf = (files: readonly ListedFile[]): string => {
	const names = files.reduce((total, {from}) => total + (from === undefined ? 1 : 2), 0);
	return `${counted(names, 'file')}, +${lineSum(files, 'added')} −${lineSum(files, 'removed')}`;
};

/** Returns the number of lines that were added to files, or removed from them. */
export const lineSum = (files: readonly ListedFile[], how: 'added' | 'removed'): number =>
	files.reduce((total, file) => total + (file[how] ?? 0), 0);

/** Returns a remark on a file besides its lines: new, deleted, renamed, binary. */
export const remarkOn = (file: ListedFile): string | undefined => {
	const {from, status, added, modes} = file;
	const [before, after] = modes;
	return from !== undefined
		? `renamed from ${from}`
		: added === null
			? ['not text', contentText(file)].filter(text => text !== undefined).join(', ')
			: status === 'A'
				? 'new file'
				: status === 'D'
					? 'deleted'
					: before === after
						? undefined
						: `mode ${before} → ${after}`;
};

/** Returns the numbers of a file's changed lines, as cells. */
export const countSpans = ({added, removed}: ListedFile) => [
	span(`+${added ?? 0}`.padStart(5), 'added'),
	span(` −${removed ?? 0}`.padEnd(5), 'removed'),
	span(' '),
];

/** Returns the names of files that a diff omits: those that repeat a change, and those that are too long. */
export const leftOutRows = (
	files: readonly ListedFile[] | undefined,
	columns: number,
): readonly Row[] => (files === undefined ? [] : leftOutOf(files, columns));

/** The rows may be thousands, and are needed for each key. */
const leftOutOf = oncePer((files: readonly ListedFile[], columns: number): readonly Row[] => {
	const long = files.filter(isTooLong);
	return [
		...[...repeatedChanges(files)].flatMap(([example, repeats]) =>
			section(`The same change as in ${example} is in ${counted(repeats.length, 'more file')}`, [
				...paragraph(oneFileHint, columns, 'dim'),
				...repeats.flatMap(path => wrapRow([span(path)], columns)),
			]),
		),
		...(long.length === 0
			? []
			: section('Too long to be shown here', [
					...long.flatMap(file => wrapRow([...countSpans(file), span(file.path, 'warn')], columns)),
					...paragraph(oneFileHint, columns, 'dim'),
					...paragraph(wholeDiffHint, columns, 'warn'),
				])),
	];
});

const oneFileHint = 'To see the diff of one alone, write its name into the palette.';

/** Hint on where to read the whole diff. */
export const wholeDiffHint = 'For the command that shows all of it: delegate-tui inbox';
