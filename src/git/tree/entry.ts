import {recalled} from '../process/recall.ts';
import {splitNul} from '../process/result.ts';
import type {Store} from '../store/store.ts';

/** A tree entry: a mode such as `100644`, and an object id. */
export type Entry = {
	readonly mode: string;
	readonly oid: string;
};

export const isSameEntry = (one: Entry | undefined, other: Entry | undefined): boolean =>
	one?.oid === other?.oid && one?.mode === other?.mode;

export const executableMode = '100755';
export const symlinkMode = '120000';
export const submoduleMode = '160000';

/** Returns the entries of a tree (or commit) at those paths; missing ones are left out. */
export const entriesAt = async (
	store: Store,
	tree: string,
	paths: Iterable<string>,
): Promise<ReadonlyMap<string, Entry>> => {
	const wanted = new Set(paths);
	const entries = await entriesNear(store, tree, [...wanted]);
	return new Map([...entries].filter(([path]) => wanted.has(path)));
};

/** Returns the entries of a tree (or commit) at and below those paths. */
export const entriesBelow = async (
	store: Store,
	tree: string,
	paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> => {
	const entries = await entriesNear(store, tree, paths);
	return new Map(
		[...entries].filter(([path]) =>
			paths.some(named => path === named || path.startsWith(`${named}/`)),
		),
	);
};

/** Returns at least the entries of a tree at and below a few paths, and all of it for many. */
const entriesNear = async (
	store: Store,
	tree: string,
	paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> => {
	if (paths.length === 0) {
		return new Map();
	}

	const args = ['ls-tree', '-r', '-z', '--full-tree', tree];
	const named = paths.length > mostNamed ? [] : ['--', ...paths];
	const {stdout} = await recalled(store, [...args, ...named]);
	return new Map(splitNul(stdout).map(line => [line.slice(line.indexOf('\t') + 1), entryIn(line)]));
};

const mostNamed = 200;

/** Reads `<mode> SP <type> SP <oid> TAB <path>`. */
export const entryIn = (line: string): Entry => {
	const [mode = '', , oid = ''] = line.slice(0, line.indexOf('\t')).split(' ');
	return {mode, oid};
};
