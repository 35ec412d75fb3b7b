import {setTimeout} from 'node:timers';
import {decodePath, encodePath} from '../../lib/text/byte-path.ts';
import {isFullId} from '../process/recall.ts';
import {type GitLocation, sealed} from '../process/sealed.ts';
import {type Change, changes, newOf} from './changes.ts';
import {type Entry, entryIn} from './entry.ts';

/** The part of a tree's entries that a map has, too. */
export type EntriesByPath = Pick<ReadonlyMap<string, Entry>, 'get' | 'has'> &
	Iterable<[path: string, entry: Entry]> & {readonly keys: () => Iterable<string>};

/** All entries of a tree. They are looked up in git's listing of that tree or of another one plus the differences, so that no object is kept for each of 100,000 files. */
export type TreeEntries = EntriesByPath & {
	/** Returns at least the entries whose path or mode contains a text. */
	readonly containing: (text: string) => Iterable<[path: string, entry: Entry]>;
	readonly hasFolder: (path: string) => boolean;
};

/**
Returns all entries of a tree (or commit).

The last listing of each repository is kept for half a minute. A tree that differs from it in few entries is not listed: `git diff-tree` tells the differences.
*/
export const entriesOf = async (location: GitLocation, tree: string): Promise<TreeEntries> => {
	if (!isFullId(tree)) {
		return entriesIn(await list(location, tree));
	}

	const known = kept.get(location.gitDir) ?? keep(location, tree);
	const differing = await differencesFrom(known.tree, location, tree);
	if (differing === undefined) {
		return entriesIn(await keep(location, tree).listing);
	}

	known.idle.refresh();
	const changed = differing.map(change => [change.path, newOf(change)] as const);
	return entriesIn(await known.listing, new Map(changed));
};

/** Returns the differences from a known tree; `undefined` if there are many, or the known tree is gone. */
const differencesFrom = async (
	known: string,
	store: GitLocation,
	tree: string,
): Promise<readonly Change[] | undefined> => {
	const differing = await changes(store, known, tree).catch(() => undefined);
	return differing === undefined || differing.length > mostDiffering ? undefined : differing;
};

const mostDiffering = 1000;

type Kept = {
	readonly tree: string;
	readonly listing: Promise<Sorted>;
	readonly idle: NodeJS.Timeout;
};

/** The last listings, by the git dir. */
const kept = new Map<string, Kept>();

const keep = (location: GitLocation, tree: string): Kept => {
	const {gitDir} = location;
	const listing = list(location, tree);
	const forget = () => void (kept.get(gitDir)?.listing === listing && kept.delete(gitDir));
	const one = {tree, listing, idle: setTimeout(forget, idleMs).unref()};
	listing.catch(forget);
	kept.set(gitDir, one);
	return one;
};

const idleMs = 30_000;

/** Records are `<mode> SP <type> SP <oid> TAB <path>`. */
const list = async (location: GitLocation, tree: string): Promise<Sorted> => {
	const {stdout} = await sealed(location, ['ls-tree', '-r', '-z', '--full-tree', tree]);
	return {
		text: recordText(stdout),
		end: '\0',
		keyOf: record => record.slice(record.indexOf('\t') + 1),
	};
};

/** Returns bytes as a text of records, without a second copy of what git printed. */
export const recordText = (bytes: Buffer): Sorted['text'] => ({
	length: bytes.length,
	indexOf: (part, from) => bytes.indexOf(needleOf(part), from, 'latin1'),
	lastIndexOf: (part, from) => bytes.lastIndexOf(needleOf(part), from, 'latin1'),
	slice: (from, to) => bytes.toString('latin1', from, to),
});

/** Returns a single byte as a number, which Node finds several times faster than a string. */
const needleOf = (part: string): string | number => (part.length === 1 ? part.charCodeAt(0) : part);

const entriesIn = (
	listing: Sorted,
	changed: ReadonlyMap<string, Entry | undefined> = new Map(),
): TreeEntries => {
	/** Where the next record begins, since paths are often looked up in order. */
	let next = 0;
	const recordAt = (path: string): string | undefined => {
		const key = asBytes(path);
		for (const start of [next, undefined]) {
			const from = start ?? seek(listing, key);
			const [record] = recordsFrom(listing, from);
			if (record !== undefined && listing.keyOf(record) === key) {
				next = from + record.length + 1;
				return record;
			}
		}

		return undefined;
	};
	const get = (path: string): Entry | undefined => {
		const record = changed.has(path) ? undefined : recordAt(path);
		return record === undefined ? changed.get(path) : entryIn(record);
	};

	function* containing(text: string): Generator<[string, Entry]> {
		for (const record of recordsFrom(listing, 0, asBytes(text))) {
			const path = fromBytes(listing.keyOf(record));
			if (!changed.has(path)) {
				yield [path, entryIn(record)];
			}
		}

		for (const [path, entry] of changed) {
			if (entry !== undefined) {
				yield [path, entry];
			}
		}
	}

	return {
		get,
		has: path => get(path) !== undefined,
		*keys() {
			for (const [path] of containing('')) {
				yield path;
			}
		},
		[Symbol.iterator]: () => containing(''),
		containing,
		hasFolder: path => {
			const below = path === '' ? '' : `${path}/`;
			const key = asBytes(below);
			const [record] = recordsFrom(listing, seek(listing, key));
			return (
				(record !== undefined && listing.keyOf(record).startsWith(key)) ||
				[...changed].some(([one, entry]) => entry !== undefined && one.startsWith(below))
			);
		},
	};
};

/** Records sorted by their keys. Both are bytes, each as a character. */
export type Sorted = {
	/** The part of a string that a buffer can do as well. */
	readonly text: {
		readonly length: number;
		indexOf(part: string, from: number): number;
		lastIndexOf(part: string, from: number): number;
		slice(from: number, to: number): string;
	};
	/** Ends each record. */
	readonly end: string;
	readonly keyOf: (record: string) => string;
};

/** Returns where the first record begins whose key is not less than a key. */
export const seek = ({text, end, keyOf}: Sorted, key: string): number => {
	let [low, high] = [0, text.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		const from = middle === 0 ? 0 : text.lastIndexOf(end, middle - 1) + 1;
		const to = text.indexOf(end, middle);
		if (keyOf(text.slice(from, to)) < key) {
			low = to + 1;
		} else {
			high = from;
		}
	}

	return low;
};

/** Returns the records that contain some bytes; all if there are none. */
export function* recordsFrom({text, end}: Sorted, start: number, part = ''): Generator<string> {
	for (let next = start; next < text.length; ) {
		const at = text.indexOf(part, next);
		if (at === -1) {
			return;
		}

		const from = part === '' ? next : text.lastIndexOf(end, at) + 1;
		const to = text.indexOf(end, at);
		yield text.slice(from, to);
		next = to + 1;
	}
}

export const asBytes = (path: string): string => Buffer.from(encodePath(path)).toString('latin1');

export const fromBytes = (bytes: string): string =>
	/[\x80-\xff]/.test(bytes) ? decodePath(Buffer.from(bytes, 'latin1')) : bytes;
