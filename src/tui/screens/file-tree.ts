import {counted} from '../../lib/text/words.ts';
import {oncePer} from '../../lib/values.ts';
import {type ListedFile, repeatedChanges} from '../../rules/listed-file.ts';
import type {Marks} from '../formatting/check-look.ts';
import {countSpans, lineSum, remarkOn} from '../rows/listed-files.ts';
import {cutRow, type Row, row, type Span, span} from '../rows/row.ts';

/** Facts about changed files besides git's list. */
export type FileNews = {
	/** Current file, whose folder is the only open one. */
	readonly here?: string | undefined;
	/** Number of added lines that were never on the screen, by path; absent if no part of the diff was. */
	readonly unread?: ReadonlyMap<string, number>;
	readonly marks: Marks;
	readonly isClaimed: (path: string) => boolean;
	/** Files that it named as changed or delivered, but that are not so. */
	readonly missing: readonly MissingFile[];
	/** URL of the files' names, in a terminal with links. */
	readonly link?: string | undefined;
	/** Returns the agents of a file, if there may be several. */
	readonly by?: ((path: string) => string) | undefined;
};

/** A file that an agent named and that is in no diff, with what git found instead. */
export type MissingFile = {readonly path: string; readonly found: string};

/** Maximum number of files listed among the facts; more are shown as a tree. */
export const mostListed = 6;

export const fewestTreeRows = 4;

type Folder = {
	readonly name: string;
	readonly files: readonly ListedFile[];
	readonly missing: readonly MissingFile[];
};

/** Returns changed files by folder, in at most `height` rows: the folder of the current file is open, the others take one row each, and so do the files that repeat a change. */
export const treeRows = (
	files: readonly ListedFile[],
	news: FileNews,
	{columns, height}: {readonly columns: number; readonly height: number},
): readonly Row[] => {
	const {shown, left} = shownOf(files, news, height);
	return [
		...shown.map(({draw}) => draw()),
		...(left > 0 ? [row(`  … ${counted(left, 'more row')}`, 'dim')] : []),
	].map(cells => cutRow(cells, columns));
};

/** Returns the path of the file in a row of the tree, or of a folder's first one. */
export const pathInTree = (
	files: readonly ListedFile[],
	news: FileNews,
	{height, at}: {readonly height: number; readonly at: number},
): string | undefined => shownOf(files, news, height).shown[at]?.path;

/** A row of the tree, drawn only where it is in sight: a folder's counts its files. */
type Branch = {readonly draw: () => Row; readonly path?: string | undefined};

/** Returns the rows in sight, around the current file, and the number of those that don't fit. */
const shownOf = (
	files: readonly ListedFile[],
	news: FileNews,
	height: number,
): {readonly shown: readonly Branch[]; readonly left: number} => {
	const elsewhere = missingElsewhere(files, news.missing);
	const isCounted = elsewhere.length > mostElsewhere;
	const rows: Branch[] = [];
	if (isCounted) {
		const named = `${counted(elsewhere.length, 'file')} that it named are not in its changes`;
		rows.push({draw: () => row(`${'✗'.padStart(12)} ${named}`, 'bad')});
	}

	const missing = isCounted ? news.missing.filter(one => !elsewhere.includes(one)) : news.missing;
	let here = 0;
	for (const folder of foldersOf(files, missing)) {
		const {files: within, missing} = folder;
		const isSingle = within.length + missing.length === 1;
		const isOpen = isSingle || within.some(({path}) => path === news.here);
		const name = isSingle ? '' : folder.name;
		if (!isSingle) {
			rows.push({draw: () => folderRow(folder, isOpen, news), path: within[0]?.path});
		}

		for (const {path, found} of isOpen ? missing : []) {
			rows.push({
				draw: () =>
					row(`${'✗'.padStart(12)} ${path.slice(name.length)}  said, but ${found}`, 'bad'),
			});
		}

		for (const file of isOpen ? within : []) {
			here = file.path === news.here ? rows.length : here;
			rows.push({draw: () => fileRow(file, name, news), path: file.path});
		}
	}

	for (const [example, repeats] of repeatedChanges(files)) {
		rows.push({
			draw: () => [
				span('≡ ', 'dim'),
				span(`${counted(repeats.length, 'more file')} like `),
				span(example, 'strong'),
			],
			path: example,
		});
	}

	const isCut = rows.length > height && height > 1;
	const room = Math.max(0, isCut ? height - 1 : height);
	const offset = Math.max(0, Math.min(here - Math.floor(room / 2), rows.length - room));
	const shown = rows.slice(offset, offset + room);
	return {shown, left: isCut ? rows.length - shown.length : 0};
};

/** Maximum number of missing files outside of all changed folders that have a row each. */
const mostElsewhere = 3;

/** Returns the missing files in folders without changes. */
const missingElsewhere = (
	files: readonly ListedFile[],
	missing: readonly MissingFile[],
): readonly MissingFile[] => missing.filter(one => !byFolder(files).has(folderOf(one)));

/** Returns the folders in git's order, in which files of a folder are adjacent; folders with only missing files come first. */
const foldersOf = (
	files: readonly ListedFile[],
	missing: readonly MissingFile[],
): readonly Folder[] => {
	const [found, lost] = [byFolder(files), Map.groupBy(missing, folderOf)];
	const empty = [...lost.keys()].filter(name => !found.has(name));
	return [...empty, ...found.keys()].map(name => ({
		name,
		files: found.get(name) ?? [],
		missing: lost.get(name) ?? [],
	}));
};

/** Groups files by folder, except those that repeat a change. */
const byFolder = oncePer((files: readonly ListedFile[]) =>
	Map.groupBy(
		files.filter(({like}) => like === undefined),
		folderOf,
	),
);

const folderOf = ({path}: {readonly path: string}) => path.slice(0, path.lastIndexOf('/') + 1);

const folderRow = (
	{name, files, missing}: Folder,
	isOpen: boolean,
	{unread, marks}: FileNews,
): Row => {
	const left = files.filter(({path}) => unread?.get(path)).length;
	const marked = files.filter(({path}) => marks.has(path)).length;
	return [
		span(isOpen ? '▾ ' : '▸ ', 'dim'),
		span(name === '' ? './' : name, 'strong'),
		span(`  ${counted(files.length, 'file')}`, 'dim'),
		span(`  +${lineSum(files, 'added')}`, 'added'),
		span(` −${lineSum(files, 'removed')}`, 'removed'),
		...(isOpen || missing.length === 0 ? [] : [span(`  ✗ ${missing.length} missing`, 'bad')]),
		...(isOpen || left === 0 ? [] : [span(`  ${left} unread`, 'info')]),
		...(isOpen || marked === 0 ? [] : [span(`  ${marked} to look at`, 'warn')]),
	];
};

const fileRow = (file: ListedFile, folder: string, news: FileNews): Row => {
	const {path} = file;
	const isHere = path === news.here;
	const left = news.unread?.get(path) ?? 0;
	const remark = remarkOn(file);
	return [
		span(isHere ? '▸' : ' ', 'key'),
		...countSpans(file),
		span(' '),
		{
			...span(path.slice(folder.length), isHere ? 'selected' : 'plain'),
			link: news.link,
		},
		...told(remark, 'info'),
		...told(news.marks.get(path), 'warn'),
		...told(news.isClaimed(path) ? undefined : 'not said', 'info'),
		...told(news.by?.(path), 'dim'),
		...told(left === 0 ? undefined : `${left} unread`, 'info'),
	];
};

const told = (text: string | undefined, tone: Span['tone']): readonly Span[] =>
	text === undefined ? [] : [span(`  ${text}`, tone)];
