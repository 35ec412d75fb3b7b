import {readFile} from 'node:fs/promises';
import {splitNul} from '../../process/nul.ts';
import {user} from '../../process/user.ts';
import type {Store} from '../../store/store.ts';
import {type Change, newOf, oldOf} from '../../tree/changes.ts';
import {blockerAbove, diskPath, entryOnDisk} from '../../tree/disk-path.ts';
import type {Entry} from '../../tree/entry.ts';
import {differing} from '../differing.ts';
import {strangersAt} from '../obstacles/obstacle.ts';
import {
	type Content,
	type Found,
	type Indexed,
	judgeFiles,
	judgeIndex,
	type MoveProgress,
} from './move-progress.ts';
import {isTouchedSince} from './touched-since.ts';

/** The files of a checkout, and an index of them. */
export type Indexing = {readonly root: string; readonly index: string};

/** Finds out how far a move of a checkout has come; nothing is changed. */
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

/** Reads records of `<tag> <mode> <oid> <stage> TAB <path>`; the tag `S` marks what a sparse checkout leaves out. */
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

/** What nobody has touched since the move began is as the person left it, whatever it looks like. */
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

/** A folder in the place of a file, or a file in the place of a folder, may be the other half of the same move, unless it holds anything else. */
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
