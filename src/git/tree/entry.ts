import {recalled} from '../process/recall.ts';
import {splitNul} from '../process/result.ts';
import type {Store} from '../store/store.ts';

/** What a tree holds at a path: a mode such as `100644`, and the id of the content. */
export type Entry = {
	readonly mode: string;
	readonly oid: string;
};

/** Whether two sides of a path hold the same, or both nothing. */
export const isSameEntry = (one: Entry | undefined, other: Entry | undefined): boolean =>
	one?.oid === other?.oid && one?.mode === other?.mode;

export const executableMode = '100755';
export const symlinkMode = '120000';
export const submoduleMode = '160000';

/** Returns what a tree (or a commit's tree) holds at those paths; a path that it lacks is absent. */
export const entriesAt = async (
	store: Store,
	tree: string,
	paths: Iterable<string>,
): Promise<ReadonlyMap<string, Entry>> => {
	const wanted = new Set(paths);
	const entries = await entriesOf(store, tree);
	return new Map([...entries].filter(([path]) => wanted.has(path)));
};

/** Returns what a tree (or a commit's tree) holds at those paths and, where they are folders, below them. */
export const entriesBelow = async (
	store: Store,
	tree: string,
	paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> => {
	const entries = await entriesOf(store, tree);
	return new Map(
		[...entries].filter(([path]) =>
			paths.some(named => path === named || path.startsWith(`${named}/`)),
		),
	);
};

/** Returns everything that a tree (or a commit's tree) holds, by path. */
export const entriesOf = async (
	store: Store,
	tree: string,
): Promise<ReadonlyMap<string, Entry>> => {
	const {stdout} = await recalled(store, ['ls-tree', '-r', '-z', '--full-tree', tree]);
	return new Map(splitNul(stdout).map(parse));
};

/** Reads `<mode> SP <type> SP <oid> TAB <path>`. */
const parse = (line: string): [string, Entry] => {
	const tab = line.indexOf('\t');
	const [mode = '', , oid = ''] = line.slice(0, tab).split(' ');
	return [line.slice(tab + 1), {mode, oid}];
};

/** A regular file of a tree, before its content is read. */
export type TreeFile = {readonly oid: string; readonly bytes: number};

/** Returns the regular files of a tree (or of these paths in it) with their sizes, by path; links and submodules are none. */
export const filesOf = async (
	store: Store,
	tree: string,
	...paths: readonly string[]
): Promise<ReadonlyMap<string, TreeFile>> => {
	const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', tree, '--', ...paths];
	const {stdout} = await recalled(store, args);
	return new Map(
		splitNul(stdout)
			.filter(line => line.startsWith('100'))
			.map(readEntryLine),
	);
};

/** Reads `<mode> SP blob SP <oid> SP+ <bytes> TAB <path>`. */
const readEntryLine = (line: string): [string, TreeFile] => {
	const tab = line.indexOf('\t');
	const [, , oid = '', bytes] = line.slice(0, tab).split(/ +/);
	return [line.slice(tab + 1), {oid, bytes: Number(bytes)}];
};
