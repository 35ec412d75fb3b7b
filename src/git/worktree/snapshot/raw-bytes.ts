import {constants} from 'node:fs';
import {access, open, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isAbsence, succeeds} from '../../../lib/files/reading.ts';
import {encodePath} from '../../../lib/text/byte-path.ts';
import {attributesFilesIn} from '../../filters/attributes.ts';
import {recall} from '../../process/recall.ts';
import {expectCode, splitNul} from '../../process/result.ts';
import {type GitLocation, sealed, type WorktreeLocation} from '../../process/sealed.ts';
import {borrowedConfig} from '../../store/borrowed.ts';
import type {Store} from '../../store/store.ts';
import {readBlob, readBlobs} from '../../tree/blobs.ts';
import {diskPath, entryOnDisk, isBelowFolders, isRefusal} from '../../tree/disk-path.ts';
import {type Entry, entriesAt} from '../../tree/entry.ts';
import {type EntriesByPath, entriesOf} from '../../tree/listing.ts';
import {within, withWorktree} from '../open-worktree.ts';

/**
Writes the files of a worktree whose bytes differ from its tree, and returns them by path.

Git converts line endings, encodings and `$Id$` according to attributes and `core.autocrlf`. Merges need that, but the snapshot also keeps the agent's files byte for byte.

@param among Paths outside of which no file differs; without it all files are read.
*/
export const writeRawFiles = async (
	location: WorktreeLocation,
	tree: string,
	among?: readonly string[],
): Promise<ReadonlyMap<string, Entry>> => {
	const files = filesIn(
		await (among ? entriesAt(location, tree, among) : entriesOf(location, tree)),
	);
	const raw = await rawIds(location, [...files.keys()], []);
	const other = [...raw].flatMap(([path, oid]) => (files.get(path)?.oid === oid ? [] : [path]));
	const kept = await rawIds(location, await filesAmong(location.workTree, other), ['-w']);
	return new Map(
		[...files].flatMap(([path, {mode}]) => {
			const oid = kept.get(path);
			return oid === undefined ? [] : [[path, {mode, oid}] as const];
		}),
	);
};

/** Returns whether git converts only line endings: a file that begins or ceases to need a conversion then changes its size. */
export const convertsLineEndsAlone = async (store: Store, tree: string): Promise<boolean> => {
	const files = attributesFilesIn(await entriesOf(store, tree));
	const texts = await readBlobs(
		store,
		files.map(([, {oid}]) => oid),
	);
	return [...texts].every(([, text]) => !/ident|encoding/.test(`${text}`));
};

/** Writes a file's bytes without conversion; `undefined` if it can't be read or stored. */
export const rawEntry = async (
	location: WorktreeLocation,
	path: string,
): Promise<Entry | undefined> => {
	const entry = await entryOnDisk(location.workTree, path);
	const oid = (await rawIds(location, [path], ['-w']).catch(() => undefined))?.get(path);
	return oid === undefined || !entry?.isFile()
		? undefined
		: {mode: (entry.mode & 0o100) === 0 ? '100644' : '100755', oid};
};

/** Returns whether git may convert the files of a worktree. */
export const converts = async ({gitDir}: GitLocation, hasAttributes: boolean): Promise<boolean> =>
	hasAttributes ||
	/autocrlf = "(?!false|no|off|0|")/i.test(await readFile(join(gitDir, borrowedConfig), 'utf8'));

/** Files that a checkout converts, or that git would commit in another form although nothing changed. */
export type Conversions = {
	readonly paths: readonly string[];
	/** True for those with `eol=crlf` as well. */
	readonly writesCrlf: boolean;
};

/**
Returns what git converts in a new worktree; `undefined` if it may convert any file.

Git writes CRLF only where `eol=crlf` or the person's settings say so. It commits another form only of a text with CRLF, and keeps a committed CRLF where only `text=auto` applies. A store has no filters.
*/
export const conversionsOf = async (
	store: Store,
	commit: string,
): Promise<Conversions | undefined> => {
	const ids = attributesFilesIn(await entriesOf(store, commit)).map(([, {oid}]) => oid);
	const texts = [...(await readBlobs(store, ids)).values()];
	const attributes = texts.flatMap(text => `${text}`.split('\n').flatMap(attributesIn));
	const settings = await readFile(join(store.gitDir, borrowedConfig), 'utf8');
	if (crlfSettings.test(settings) || attributes.some(one => convertsAny.test(one))) {
		return undefined;
	}

	return {
		paths: attributes.some(one => convertsText.test(one)) ? await blobsWithCrlf(store, commit) : [],
		writesCrlf: attributes.includes('eol=crlf'),
	};
};

const crlfSettings = /\bautocrlf = "(?!false|no|off|0|input|")|\beol = "(?!lf|native)/i;

/** Matches attributes by which git converts more than line endings. */
const convertsAny = /^(?:ident|working-tree-encoding)(?:=|$)/;

/** Matches attributes of files that git commits without CRLF, even if one was committed. */
const convertsText = /^(?:text|crlf|eol)(?:=(?!auto)|$)/;

const attributesIn = (line: string): readonly string[] => {
	const [pattern = '', ...attributes] = line.trim().split(/\s+/);
	const isAuto = attributes.includes('text=auto');
	return pattern.startsWith('#') ? [] : attributes.filter(one => !(isAuto && one === 'eol=lf'));
};

/** Returns the files of a worktree with the attribute `eol=crlf`. */
export const filesWithCrlf = async (location: WorktreeLocation): Promise<readonly string[]> => {
	const env = {GIT_LITERAL_PATHSPECS: '0'};
	const args = ['ls-files', '-z', '--', ':(attr:eol=crlf)'];
	return splitNul((await sealed(location, args, {env})).stdout);
};

/** Searches each blob once for all worktrees that start from the commit, with one thread, so that git holds no two large ones. */
const blobsWithCrlf = async ({gitDir}: GitLocation, commit: string): Promise<readonly string[]> => {
	const args = ['grep', '--threads=1', '-l', '-z', '-a', '-e', '\r$', commit];
	const search = () => sealed({gitDir}, args, {expect: [0, 1]});
	const {stdout} = await recall([gitDir, args], search, {stays: () => true});
	return splitNul(stdout).map(named => named.slice(commit.length + 1));
};

export type RawBytesParts = {
	/** The agent's worktree. */
	readonly tree: string;
	/** Its current tree. */
	readonly held: string;
	/** Snapshot; files with the same content in it get the bytes that they had then. */
	readonly snapshot: string;
};

/** Restores the bytes of a worktree's files from a snapshot; no process may work there. */
export const putRawBytesBack = async (
	store: Store,
	{tree, held, snapshot}: RawBytesParts,
): Promise<void> => {
	const now = await entriesOf(store, held);
	if (!(await converts(store, attributesFilesIn(now).length > 0))) {
		return;
	}

	const [then, raw] = await Promise.all([entriesOf(store, snapshot), rawEntries(store, snapshot)]);
	const same = [...filesIn(now)].filter(([path, {oid}]) => then.get(path)?.oid === oid);
	const wanted = new Map(same.map(([path, {oid}]) => [path, raw.get(path)?.oid ?? oid]));
	await withWorktree(tree, async workTree => {
		const found = await rawIds({...store, workTree}, [...wanted.keys()], []);
		const other = [...wanted].filter(([path, oid]) => found.has(path) && found.get(path) !== oid);
		for (const [path, oid] of other) {
			await overwrite(workTree, path, await readBlob(store, oid));
		}
	});
};

/** Reads the snapshot's second parent. */
const rawEntries = async (store: Store, snapshot: string): Promise<EntriesByPath> => {
	const args = ['rev-parse', '--verify', '--quiet', `${snapshot}^2`];
	const {code, stdout} = await sealed(store, args, {expect: [0, 1]});
	return code === 0 ? entriesOf(store, stdout.toString().trim()) : new Map();
};

const filesIn = (entries: EntriesByPath): ReadonlyMap<string, Entry> =>
	new Map([...entries].filter(([, {mode}]) => mode.startsWith('100')));

/** Returns the object ids of files on disk, without conversion; unreadable ones are left out. */
const rawIds = async (
	location: WorktreeLocation,
	paths: readonly string[],
	options: readonly '-w'[],
): Promise<ReadonlyMap<string, string>> => {
	let there = paths;
	for (let attempt = 1; there.length > 0; attempt += 1) {
		const args = ['hash-object', '--no-filters', ...options, '--stdin-paths'];
		const input = encodePath(there.map(path => `${quoted(path)}\n`).join(''));
		const result = await sealed(location, args, {input, expect: 'any', opens: 'to read'});
		if (result.code === 0 || attempt >= maxAttempts) {
			const ids = expectCode(args, result).stdout.toString().split('\n');
			return new Map(
				there.map((path, index) => {
					const {[index]: oid = ''} = ids;
					return [path, oid];
				}),
			);
		}

		there = await filesAmong(location.workTree, paths);
	}

	return new Map();
};

/** A file may be removed while others are read. */
const maxAttempts = 3;

const filesAmong = async (root: string, paths: readonly string[]): Promise<readonly string[]> => {
	const are = await Promise.all(paths.map(path => isReadableFile(root, path)));
	return paths.filter((_, index) => are[index]);
};

const isReadableFile = async (root: string, path: string): Promise<boolean> => {
	if (!(await isBelowFolders(root, path)) || !(await entryOnDisk(root, path))?.isFile()) {
		return false;
	}

	return succeeds(access(diskPath(root, path), constants.R_OK));
};

/** Quotes a path for git's stdin, if it contains a line break or begins with a quote. */
const quoted = (path: string): string =>
	/^"|\n/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path;

const overwrite = async (root: string, path: string, bytes: Uint8Array): Promise<void> => {
	const {O_WRONLY, O_TRUNC, O_NOFOLLOW} = constants;
	const steps = path.split('/');
	await within(root, steps.slice(0, -1), async folder => {
		const place = diskPath(folder, steps.at(-1) ?? '');
		await using file = await open(place, O_WRONLY | O_TRUNC | O_NOFOLLOW);
		await file.writeFile(bytes);
	});
};

/** Returns the paths whose folder can't be entered: to git they seem removed. */
export const findUnreachable = async (
	root: string,
	paths: readonly string[],
): Promise<ReadonlySet<string>> => {
	const found = await Promise.all(paths.map(path => isUnreachable(root, path)));
	return new Set(paths.filter((_, position) => found[position]));
};

const isUnreachable = (root: string, path: string): Promise<boolean> =>
	entryOnDisk(root, path).then(() => false, isRefusal);

export type Submodules = {
	/** Non-empty submodules, whose content a snapshot doesn't contain. */
	readonly used: readonly string[];
	/** Submodules that are replaced by a file or link. */
	readonly replaced: readonly string[];
};

/** Classifies submodules by the entry in their place, without entering them. */
export const lookAtSubmodules = async (
	root: string,
	paths: Iterable<string>,
): Promise<Submodules> => {
	const used: string[] = [];
	const replaced: string[] = [];
	for (const path of paths) {
		const entry = await entryOnDisk(root, path);
		if (entry?.isDirectory()) {
			const names = await namesIn(root, path);
			used.push(...(names.length > 0 ? [path] : []));
		} else {
			replaced.push(path);
		}
	}

	return {used, replaced};
};

const namesIn = async (root: string, folder: string) => {
	try {
		return await readdir(diskPath(root, folder), {encoding: 'buffer'});
	} catch (error) {
		if (isAbsence(error) || isRefusal(error)) {
			return [];
		}

		throw error;
	}
};
