import {lstat, readFile} from 'node:fs/promises';
import {splitNul} from '../../process/result.ts';
import {user} from '../../process/user.ts';
import type {Store} from '../../store/store.ts';
import {type Change, newOf, oldOf} from '../../tree/changes.ts';
import {blockerAbove, diskPath, entryOnDisk, foldersAbove} from '../../tree/disk-path.ts';
import {type Entry, isSameEntry, submoduleMode} from '../../tree/entry.ts';
import {differing} from '../begun-move.ts';
import {strangersAt} from '../obstacles.ts';

export type Indexing = {readonly root: string; readonly index: string};

/** Returns how far a move of a checkout came; changes nothing. */
export const findMoveProgress = async (
	store: Store,
	indexing: Indexing,
	{changed, since}: {readonly changed: readonly Change[]; readonly since: string},
): Promise<MoveProgress> => {
	const verdict = judgeIndex(changed, await readIndex(indexing));
	return verdict.kind === 'old-index'
		? judgeFiles(await contentsOf(store, indexing, verdict.changes, since))
		: verdict;
};

/** Parses records of `<tag> <mode> <oid> <stage> TAB <path>`; the tag `S` marks files outside a sparse checkout. */
export const readIndex = async ({root, index}: Indexing): Promise<ReadonlyMap<string, Indexed>> => {
	const {stdout} = await user(root, ['ls-files', '-z', '-t', '--stage'], {index});
	return new Map(
		splitNul(stdout).map(line => {
			const tab = line.indexOf('\t');
			const [tag = '', mode = '', oid = ''] = line.slice(0, tab).split(' ');
			return [line.slice(tab + 1), {mode, oid, isSkipped: tag === 'S'}];
		}),
	);
};

/** Classifies the content of changed paths. A path that wasn't touched since the move began is the person's, even if it looks like the move's. */
const contentsOf = async (
	store: Store,
	{root}: Indexing,
	changed: readonly Change[],
	since: string,
): Promise<readonly Found[]> => {
	const differsFromOld = await differing(store, root, changed, oldOf);
	const differsFromNew = await differing(store, root, changed, newOf);
	const contentOf = async (change: Change): Promise<Content> => {
		const {path} = change;
		if (!(await isTouchedSince(root, path, since))) {
			return 'untouched';
		}

		const presence = await presenceOf(root, path, changed);
		if (presence !== 'there') {
			return presence;
		}

		if (oldOf(change) !== undefined && !differsFromOld.has(path)) {
			return 'old';
		}

		if (newOf(change) !== undefined && !differsFromNew.has(path)) {
			return 'new';
		}

		return (await isHalfWritten(root, change)) ? 'half' : 'foreign';
	};

	const found: Found[] = [];
	for (const change of changed) {
		found.push({change, content: await contentOf(change)});
	}

	return found;
};

/** Returns whether a path exists. A folder in place of a file, or the reverse, may be the other half of the move, and is foreign if it contains anything else. */
const presenceOf = async (
	root: string,
	path: string,
	changed: readonly Change[],
): Promise<'absent' | 'there' | 'foreign'> => {
	const isMoved = (one: string) => changed.some(change => change.path === one);
	const blocker = await blockerAbove(root, path);
	if (blocker !== undefined) {
		return isMoved(blocker) ? 'absent' : 'foreign';
	}

	const entry = await entryOnDisk(root, path);
	if (entry?.isDirectory()) {
		const strangers = await strangersAt(root, path);
		return changed.some(change => change.path.startsWith(`${path}/`)) &&
			strangers.every(one => one !== path && isMoved(one))
			? 'absent'
			: 'foreign';
	}

	return entry === undefined ? 'absent' : 'there';
};

/** Returns whether a file is half written: git writes from the start, so an interrupted file is a prefix of the new content. */
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

/**
Progress of an interrupted move of a checkout.

Git writes each file, then the index in one rename; `recover.ts` shows where a kill can fall.

- `before`: nothing has changed
- `half`: files are new or half-written, the index is old; `restore` lists the paths in the index, `remove` the others
- `after`: files and index are new
- `foreign`: those paths are neither old nor new, so a person changed them
*/
export type MoveProgress =
	| {readonly kind: 'before'}
	| {readonly kind: 'half'; readonly restore: readonly string[]; readonly remove: readonly string[]}
	| {readonly kind: 'after'}
	| {readonly kind: 'foreign'; readonly paths: readonly string[]};

/** An index entry; `isSkipped` for one outside a sparse checkout. */
type Indexed = Entry & {readonly isSkipped: boolean};

/** Content at a path; `half` is a prefix of one side, `untouched` the content from before the move. */
type Content = 'untouched' | 'absent' | 'old' | 'new' | 'half' | 'foreign';

type Found = {readonly change: Change; readonly content: Content};

/** Verdict from the index alone, or the changes whose files have to be examined. */
type IndexVerdict =
	| Extract<MoveProgress, {kind: 'after' | 'foreign'}>
	| {readonly kind: 'old-index'; readonly changes: readonly Change[]};

/** Judges by the index, which git writes after all files. */
const judgeIndex = (
	changes: readonly Change[],
	index: ReadonlyMap<string, Indexed>,
): IndexVerdict => {
	const holds = (path: string, entry: Entry | undefined) => isSameEntry(index.get(path), entry);
	if (changes.length > 0 && changes.every(change => holds(change.path, newOf(change)))) {
		return {kind: 'after'};
	}

	const strange = changes.filter(change => !holds(change.path, oldOf(change)));
	return strange.length > 0
		? {kind: 'foreign', paths: strange.map(({path}) => path)}
		: {kind: 'old-index', changes: changes.filter(change => isWritten(change, index))};
};

/** Returns whether a move writes a path: it doesn't touch submodules, or files outside a sparse checkout. */
const isWritten = (change: Change, index: ReadonlyMap<string, Indexed>): boolean =>
	!index.get(change.path)?.isSkipped &&
	![oldOf(change)?.mode, newOf(change)?.mode].includes(submoduleMode);

/** Judges by the files, while the index is old. */
const judgeFiles = (found: readonly Found[]): MoveProgress => {
	const foreign = found.filter(({content}) => content === 'foreign');
	if (foreign.length > 0) {
		return {kind: 'foreign', paths: pathsOf(foreign)};
	}

	const isBegun = ({content}: Found) => content === 'new' || content === 'half';
	const isMissed = (one: Found) => one.content === 'absent' || isBegun(one);
	const remove = pathsOf(found.filter(one => one.change.status === 'A' && isBegun(one)));
	const restore = pathsOf(found.filter(one => one.change.status !== 'A' && isMissed(one)));
	return restore.length + remove.length === 0 ? {kind: 'before'} : {kind: 'half', restore, remove};
};

const pathsOf = (found: readonly Found[]): readonly string[] =>
	found.map(({change}) => change.path);

/** The kernel's file times lag behind the clock. */
const clockSlackMs = 1000;

/** Returns whether a path of a checkout may have been written or removed since a time (ISO 8601). It compares ctime, which programs can't set; for an absent path that of the folder above. */
const isTouchedSince = async (root: string, path: string, since: string): Promise<boolean> => {
	for (const at of [path, ...foldersAbove(path).toReversed()]) {
		const entry = await entryOnDisk(root, at);
		if (entry !== undefined) {
			return isSince(entry.ctimeMs, since);
		}
	}

	return isSince((await lstat(root)).ctimeMs, since);
};

/** Returns whether a file's time may be after another time (ISO 8601). */
export const isSince = (timeMs: number, since: string): boolean =>
	timeMs >= Date.parse(since) - clockSlackMs;
