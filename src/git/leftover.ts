import {readFile} from 'node:fs/promises';
import type {Change} from './changes.ts';
import type {Checkout} from './checkouts.ts';
import {diskPath, entryOnDisk, foldersAbove} from './disk-path.ts';
import {type Entry, submoduleMode} from './entry.ts';
import {joinNul, splitNul} from './nul.ts';
import type {Store} from './store.ts';
import {withTemporaryIndex} from './temporary-index.ts';
import {user} from './user.ts';

/**
What a move that was cut off has left in a checkout.

- `before`: nothing, or not yet anything
- `half`: files are new or half-written while the index is still the old one; `restore` lists what the index has, `remove` what it doesn't
- `after`: files and index are as the move makes them
- `foreign`: those paths are neither as before nor as after, so a person had their hands in it
*/
export type Leftover =
	| {readonly kind: 'before'}
	| {readonly kind: 'half'; readonly restore: readonly string[]; readonly remove: readonly string[]}
	| {readonly kind: 'after'}
	| {readonly kind: 'foreign'; readonly paths: readonly string[]};

/** Finds out how far a move of a checkout by these changes has come; nothing is changed. */
export const findLeftover = async (
	store: Store,
	checkout: Checkout,
	all: readonly Change[],
): Promise<Leftover> => {
	// Whatever a submodule's folder holds, a move of ours doesn't touch it.
	const changes = all.filter(
		change => ![oldOf(change)?.mode, newOf(change)?.mode].includes(submoduleMode),
	);
	const index = await readIndex(checkout);
	const isOld = (change: Change) => isSame(index.get(change.path), oldOf(change));
	const isNew = (change: Change) => isSame(index.get(change.path), newOf(change));
	if (changes.length > 0 && changes.every(isNew)) {
		return {kind: 'after'};
	}

	const strange = changes.filter(change => !isOld(change)).map(({path}) => path);
	return strange.length > 0
		? {kind: 'foreign', paths: strange}
		: judgeFiles(
				store,
				checkout,
				changes.filter(change => !isSkipped(index, change)),
			);
};

type Indexed = Entry & {readonly isSkipped: boolean};

/** Reads records of `<tag> <mode> <oid> <stage> TAB <path>`; the tag `S` marks what a sparse checkout leaves out. */
const readIndex = async ({root}: Checkout): Promise<ReadonlyMap<string, Indexed>> => {
	const {stdout} = await user(root, ['ls-files', '-z', '-t', '--stage']);
	return new Map(
		splitNul(stdout).map(line => {
			const tab = line.indexOf('\t');
			const [tag = '', mode = '', oid = ''] = line.slice(0, tab).split(' ');
			return [line.slice(tab + 1), {mode, oid, isSkipped: tag === 'S'}];
		}),
	);
};

const isSkipped = (index: ReadonlyMap<string, Indexed>, {path}: Change): boolean =>
	index.get(path)?.isSkipped ?? false;

const oldOf = (change: Change): Entry | undefined =>
	change.status === 'A' ? undefined : change.old;

const newOf = (change: Change): Entry | undefined =>
	change.status === 'D' ? undefined : change.new;

const isSame = (a: Entry | undefined, b: Entry | undefined): boolean =>
	a?.mode === b?.mode && a?.oid === b?.oid;

const judgeFiles = async (
	store: Store,
	{root}: Checkout,
	changes: readonly Change[],
): Promise<Leftover> => {
	const differsFromOld = await differing(store, root, changes, oldOf);
	const differsFromNew = await differing(store, root, changes, newOf);
	const restore: string[] = [];
	const remove: string[] = [];
	const foreign: string[] = [];
	for (const change of changes) {
		const {path} = change;
		const old = oldOf(change);
		const content = await contentAt(root, path, changes);
		if (content === 'foreign') {
			foreign.push(path);
		} else if (content === 'absent' || (old !== undefined && !differsFromOld.has(path))) {
			restore.push(...(content === 'absent' && old !== undefined ? [path] : []));
		} else if (
			(newOf(change) !== undefined && !differsFromNew.has(path)) ||
			(await isHalfWritten(root, change))
		) {
			(old === undefined ? remove : restore).push(path);
		} else {
			foreign.push(path);
		}
	}

	if (foreign.length > 0) {
		return {kind: 'foreign', paths: foreign};
	}

	return restore.length + remove.length === 0 ? {kind: 'before'} : {kind: 'half', restore, remove};
};

/**
Returns the paths whose files differ from one side of the changes, or aren't there.

Git itself compares, on an index made for it, so that filters, line endings, links and modes count as they do for the person.
*/
const differing = (
	store: Store,
	root: string,
	changes: readonly Change[],
	side: (change: Change) => Entry | undefined,
): Promise<ReadonlySet<string>> =>
	withTemporaryIndex(store, async index => {
		const lines = changes.flatMap(change => {
			const entry = side(change);
			return entry === undefined ? [] : [`${entry.mode} ${entry.oid}\t${change.path}`];
		});
		await user(root, ['update-index', '-z', '--index-info'], {index, input: joinNul(lines)});
		await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
		const {stdout} = await user(root, ['diff-files', '-z', '--name-only'], {index});
		return new Set(splitNul(stdout));
	});

/** A folder in the place of a new file, or a file in the place of a folder, may be the other half of the same move. */
const contentAt = async (
	root: string,
	path: string,
	changes: readonly Change[],
): Promise<'absent' | 'there' | 'foreign'> => {
	const isMoved = (one: string) => changes.some(change => change.path === one);
	for (const folder of foldersAbove(path)) {
		const entry = await entryOnDisk(root, folder);
		if (entry === undefined || !entry.isDirectory()) {
			return entry === undefined || isMoved(folder) ? 'absent' : 'foreign';
		}
	}

	const entry = await entryOnDisk(root, path);
	if (entry?.isDirectory()) {
		return changes.some(change => change.path.startsWith(`${path}/`)) ? 'absent' : 'foreign';
	}

	return entry === undefined ? 'absent' : 'there';
};

/** Git writes a file from its start, so one that was cut off holds the start of what it was to be. */
const isHalfWritten = async (root: string, change: Change): Promise<boolean> => {
	const {path} = change;
	const entry = await entryOnDisk(root, path);
	if (!entry?.isFile() || !path.isWellFormed()) {
		return false;
	}

	const content = await readFile(diskPath(root, path));
	for (const side of [newOf(change), oldOf(change)]) {
		if (side?.mode.startsWith('100') && (await startsWith(root, path, side, content))) {
			return true;
		}
	}

	return false;
};

const startsWith = async (
	root: string,
	path: string,
	{oid}: Entry,
	content: Buffer,
): Promise<boolean> => {
	const {code, stdout} = await user(root, ['cat-file', '--filters', `--path=${path}`, oid], {
		expect: 'any',
	});
	return code === 0 && stdout.subarray(0, content.length).equals(content);
};
