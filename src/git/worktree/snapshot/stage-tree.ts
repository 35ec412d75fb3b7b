import {constants} from 'node:fs';
import {access, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {isInCone} from '../../../lib/cone.ts';
import {errorCode, isThere} from '../../../lib/files/reading.ts';
import {attributesName, isAttributesFile} from '../../filters/attributes.ts';
import {digestOf, offerEntries, removeEntries} from '../../index-entries.ts';
import {recall} from '../../process/recall.ts';
import {expectCode, type GitResult, joinNul, lineOf, splitNul} from '../../process/result.ts';
import {type GitLocation, sealed, type WorktreeLocation} from '../../process/sealed.ts';
import {diskPath, entryOnDisk, foldersAbove, isBelowFolders} from '../../tree/disk-path.ts';
import {type Entry, submoduleMode} from '../../tree/entry.ts';
import {treeOf} from '../../tree/graft.ts';
import {type BeyondCone, leaveOut} from '../sparse.ts';
import {changedInSubmodule} from '../submodules.ts';
import {
	converts,
	convertsLineEndsAlone,
	findUnreachable,
	lookAtSubmodules,
	rawEntry,
	writeRawFiles,
} from './raw-bytes.ts';

/** A path in a worktree that a snapshot can't contain. */
export type SkippedPath = {
	readonly path: string;
	/** A pipe, socket or device in place of a tracked file; a file or folder we may not read, or whose path is too long; a file in a submodule that isn't its commit's; a name that git refuses; a repository inside that has such a name or lies too deep. */
	readonly why: 'special' | 'unreadable' | 'long' | 'submodule' | 'name' | 'nested';
};

/** Content of a worktree as a tree. */
export type StagedTree = {
	readonly tree: string;
	/** Paths in the worktree but not in the tree, except ignored files. */
	readonly skipped: readonly SkippedPath[];
	/** Tree of the files whose bytes git converted on their way into the tree; absent when there are none. */
	readonly raw?: string;
	/** Paths of those files: no other file's bytes can differ unless its size or time changes. */
	readonly converted?: readonly string[];
};

/**
Stages the whole content of a worktree in an index, and writes it as a tree.

`git add` is not used, for three reasons: it runs `git status` inside a submodule, with the filters that an agent configured there; it stores a repository inside the worktree only as a link, so that the files are lost; and if one file can't be added, it adds none.

@param kept The kept index of the worktree; the cache of its submodules is beside it.
@param convertedBefore The converted files when that index was written, if known: only these and files that changed since are read byte for byte.
*/
export const stageTree = async (
	location: StagingLocation,
	kept?: string,
	convertedBefore?: readonly string[],
): Promise<StagedTree & {readonly isAnythingStaged: boolean; readonly isOutside: boolean}> => {
	const listing = await listSparse(location);
	const staged = await stageListed(location, listing, kept);
	const tree = lineOf(await writeTree(location, listing));
	if (!(await converts(location, listing.hasAttributes))) {
		return {...staged, tree, isOutside: isOutside(location, listing), converted: []};
	}

	const among = [...listing.changed, ...listing.removed, ...listing.submodules.keys()];
	const isAsBefore = convertedBefore !== undefined && !among.some(isAttributesFile);
	const raw = await writeRawFiles(
		location,
		tree,
		isAsBefore ? [...new Set([...among, ...convertedBefore])] : undefined,
	);
	const isKnown = isAsBefore || (await convertsLineEndsAlone(location, tree));
	return {
		...{...staged, tree, isOutside: isOutside(location, listing)},
		...(raw.size === 0 ? {} : {raw: await treeOf(location, [...raw])}),
		...(isKnown ? {converted: [...raw.keys()]} : {}),
	};
};

/** Returns only the tree; an index that is unchanged since an earlier look is not written again. */
export const treeOnly = async (location: StagingLocation, kept: string): Promise<string> => {
	const listing = await listSparse(location);
	await stageListed(location, listing, kept);
	const digest = digestOf(await readFile(location.index));
	return lineOf(
		await recall(['write-tree', location.gitDir, digest], () => writeTree(location, listing), {
			forMs: 3_600_000,
		}),
	);
};

export type StagingLocation = WorktreeLocation & {
	/** In a temporary folder. */
	readonly index: string;
	/** Part outside of a sparse worktree, which the index contains. */
	readonly leftOut?: BeyondCone | undefined;
	/** True if git may convert files, and so writes no pack of them itself. */
	readonly converts?: boolean;
};

/** Lists a worktree. If anything changed outside a sparse one, what lies there is added again: files that were there may be missing, or new ones be in the way. */
const listSparse = async (location: StagingLocation): Promise<Listing> => {
	const listing = await listNested(location);
	if (location.leftOut === undefined || !isOutside(location, listing)) {
		return listing;
	}

	await leaveOut(location, location.leftOut);
	return listNested(location);
};

const isOutside = ({leftOut}: StagingLocation, {changed, removed}: Listing): boolean =>
	leftOut !== undefined && [...changed, ...removed].some(path => !isInCone(leftOut.folders, path));

/** Has git clear `--skip-worktree` of files that exist outside of a sparse worktree. */
const sparseConfig = ({leftOut}: StagingLocation): Readonly<Record<string, string>> =>
	leftOut === undefined ? {} : {'core.sparseCheckout': 'true'};

/** Writes the index as a tree. If many files or folders changed, their objects go into one pack, which is synced once. */
const writeTree = async (
	location: StagingLocation,
	{changed, removed}: Listing,
): Promise<GitResult> => {
	const folders = new Set([...changed, ...removed].map(path => dirname(path)));
	const areMany = changed.size + removed.size >= packFilesFrom && folders.size >= packFoldersFrom;
	if (!areMany && !(await isThere(freshObjects(location)))) {
		return sealed(location, ['write-tree']);
	}

	const {env, config} = await unsynced(location);
	const written = await sealed(location, ['write-tree'], {env, config});
	// Without the store's objects, git lists and packs only these.
	await rm(alternatesOf(location));
	const list = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'];
	const {stdout: input} = await sealed(location, list, {env});
	const pack = join(location.gitDir, 'objects/pack/pack');
	await sealed(location, ['pack-objects', '--quiet', '--window=0', '--non-empty', pack], {
		...{env, input, config: {'core.compression': '0'}},
	});
	return written;
};

const freshObjects = ({index}: StagingLocation): string => join(dirname(index), 'objects');

const alternatesOf = (location: StagingLocation): string =>
	join(freshObjects(location), 'info/alternates');

/** Has git write objects without a sync into a temporary folder, from which `writeTree` packs them. */
const unsynced = async (location: StagingLocation) => {
	const alternates = alternatesOf(location);
	await mkdir(dirname(alternates), {recursive: true});
	await writeFile(alternates, `${join(location.gitDir, 'objects')}\n`);
	return {
		env: {GIT_OBJECT_DIRECTORY: freshObjects(location)},
		// Trees consist of ids, which can't be compressed.
		config: {'core.compression': '0', 'core.fsync': 'none'},
	};
};

const stageListed = async (
	location: StagingLocation,
	listing: Listing,
	kept: string | undefined,
): Promise<Pick<StagedTree, 'skipped'> & {readonly isAnythingStaged: boolean}> => {
	const submodules = await lookAtSubmodules(location.workTree, listing.submodules.keys());
	const inside = await Promise.all(
		submodules.used.map(path =>
			changedInSubmodule(location, path, listing.submodules.get(path) ?? '', kept),
		),
	);
	const unreachable = await findUnreachable(location.workTree, [...listing.removed]);
	const removed = [...listing.removed].filter(path => !unreachable.has(path));
	await removeEntries(location, removed);
	const changed = [...listing.changed, ...submodules.replaced];
	const mayConvert = await converts(location, listing.hasAttributes);
	const skipped: readonly SkippedPath[] = [
		...(await stage({...location, converts: mayConvert}, changed)),
		...[...unreachable].map(path => ({path, why: 'unreadable' as const})),
		...inside.flat().map(path => ({path, why: 'submodule' as const})),
		...listing.nested.map(path => ({path, why: 'nested' as const})),
	];
	// A folder needn't be listed if a path below it is.
	const closed = listing.closed.filter(
		folder => !skipped.some(({path}) => path.startsWith(`${folder.path}/`)),
	);
	return {
		isAnythingStaged: removed.length + changed.length > 0,
		skipped: [...skipped, ...closed],
	};
};

/**
Lists a worktree together with the files of repositories inside it.

Git lists such a repository as one folder until the index has an entry below it. So this plants one, which staging removes again.
*/
const listNested = async (location: StagingLocation): Promise<Listing> => {
	const planted = new Set<string>();
	for (let depth = 0; ; depth += 1) {
		const listing = await listWorktree(location);
		const folders = listing.nested.filter(folder => !planted.has(folder));
		if (folders.length === 0 || depth === maxNesting) {
			return listing;
		}

		await plant(location, folders);
		for (const folder of folders) {
			planted.add(folder);
		}
	}
};

const maxNesting = 20;

/** Writes an empty blob, which stands in an index for content that is still to be read. */
export const emptyBlob = async (location: GitLocation): Promise<string> =>
	lineOf(await sealed(location, ['hash-object', '-w', '--stdin'], {input: ''}));

const plant = async (location: GitLocation, folders: readonly string[]): Promise<void> => {
	const oid = await emptyBlob(location);
	await offerEntries(
		location,
		folders.map(folder => [`${folder}/.delegate-nested`, {mode: '100644', oid}]),
	);
};

const stage = async (
	location: StagingLocation,
	paths: readonly string[],
	attempt = 1,
): Promise<readonly SkippedPath[]> => {
	if (paths.length === 0) {
		return [];
	}

	const result = await add(location, paths);
	if (result.code === 0) {
		return result.stderr === '' ? [] : refusedNames(location, paths);
	}

	const found = await hindrances(location.workTree, paths);
	if (found.length === 0 && attempt >= maxAttempts) {
		return stageApart(location, paths, result);
	}

	// A path that became a pipe, or is behind a link, is removed from the index.
	await removeEntries(
		location,
		found.filter(({why}) => why !== 'unreadable' && why !== 'long').map(({path}) => path),
	);
	const hindered = new Set(found.map(({path}) => path));
	const others = paths.filter(path => !hindered.has(path));
	return [...found.filter(isSkipped), ...(await stage(location, others, attempt + 1))];
};

/** Maximum number of tries: a file may change while it is read. */
const maxAttempts = 3;

/** Finds a file that git can't convert by bisection, and stages it without conversion. */
const stageApart = async (
	location: StagingLocation,
	paths: readonly string[],
	result: GitResult,
): Promise<readonly SkippedPath[]> => {
	const [path, ...others] = paths;
	if (path === undefined || others.length > 0) {
		const middle = Math.ceil(paths.length / 2);
		const first = await stage(location, paths.slice(0, middle));
		return [...first, ...(await stage(location, paths.slice(middle)))];
	}

	const entry = await rawEntry(location, path);
	if (entry === undefined) {
		expectCode(['update-index'], result);
		return [];
	}

	await offerEntries(location, [[path, entry]]);
	return [];
};

/** Adds files to the index; many of them go directly into one pack, except those that git converts. */
const add = async (
	location: StagingLocation,
	paths: readonly string[],
	areMany = paths.length >= packFilesFrom,
): Promise<GitResult> => {
	const {env = {}, config} =
		areMany && location.converts ? await unsynced(location) : {config: {'core.compression': '0'}};
	const args = ['update-index', '-q', '--add', '--remove', '--replace', '-z', '--stdin'];
	return sealed(location, args, {
		...{input: joinNul(paths), env, expect: 'any', opens: 'to read'},
		config: {
			...sparseConfig(location),
			...config,
			...(areMany ? {'core.bigFileThreshold': '1'} : {}),
		},
	});
};

/** Minimum number of files for a pack: many small packs would be slow to read. */
const packFilesFrom = 32;

/** Minimum number of their folders for a pack of trees, which takes two more processes, and three syncs in place of two for each folder. */
const packFoldersFrom = 8;

/** Reason why a path can't be staged; `gone` for one behind a link. */
type Hindrance = SkippedPath | {readonly path: string; readonly why: 'gone'};

const isSkipped = (one: Hindrance): one is SkippedPath => one.why !== 'gone';

const hindrances = async (root: string, paths: readonly string[]): Promise<Hindrance[]> => {
	const found = await Promise.all(paths.map(path => hindranceAt(root, path)));
	return found.filter(one => one !== undefined);
};

const hindranceAt = async (root: string, path: string): Promise<Hindrance | undefined> => {
	try {
		if (!(await isBelowFolders(root, path))) {
			return {path, why: 'gone'};
		}

		const entry = await entryOnDisk(root, path);
		if (entry === undefined || entry.isDirectory() || entry.isSymbolicLink()) {
			return undefined;
		}

		if (!entry.isFile()) {
			return {path, why: 'special'};
		}

		await access(diskPath(root, path), constants.R_OK);
		return undefined;
	} catch (error) {
		return {path, why: errorCode(error) === 'ENAMETOOLONG' ? 'long' : 'unreadable'};
	}
};

/** Returns the names that git refuses: it skips a name such as `.GIT/config` with a message on stderr, and it stays untracked. */
const refusedNames = async (
	location: StagingLocation,
	paths: readonly string[],
): Promise<SkippedPath[]> => {
	const {changed} = await listWorktree(location);
	return paths.filter(path => changed.has(path)).map(path => ({path, why: 'name'}));
};

/** Differences between a worktree and its index. */
type Listing = {
	/** New or edited files and links. */
	readonly changed: ReadonlySet<string>;
	readonly removed: ReadonlySet<string>;
	/** Folders with a repository that isn't in the index. */
	readonly nested: readonly string[];
	/** Submodules in the index, with their commits. */
	readonly submodules: ReadonlyMap<string, string>;
	/** True if there is a `.gitattributes`, so that git may convert files. */
	readonly hasAttributes: boolean;
	/** Folders that git could not open. */
	readonly closed: readonly SkippedPath[];
};

/** Lists a worktree by its ignore rules, without entering submodules. */
const listWorktree = async (location: StagingLocation): Promise<Listing> => {
	const index = await readFile(location.index);
	const all = mayHoldSubmodules(index) ? ['--stage'] : [];
	const options = [...all, '--modified', '--deleted', '--others', '--exclude-standard'];
	const {stdout, stderr} = await sealed(location, ['ls-files', '-z', '-t', ...options], {
		config: sparseConfig(location),
	});
	const found = nothingYet();
	const [others, read] = all.length > 0 ? [withoutEntries(stdout), parse] : [stdout, parseChange];
	for (const line of splitNul(others)) {
		sort(read(line), found);
	}

	const hasAttributes = [index, stdout].some(bytes => bytes.includes(`${attributesName}\0`));
	return {...settled(found), hasAttributes, closed: closedFolders(stderr)};
};

/** Returns whether an index may contain submodules: whether their mode occurs anywhere in it. Git needn't list the tracked files then, which are nearly all of a large repository. */
const mayHoldSubmodules = (index: Buffer): boolean => index.includes(Buffer.of(0, 0, 0xe0, 0));

/** Drops the lines of tracked files, which git tags `H`, or `S` with `--skip-worktree`. */
const withoutEntries = (listing: Buffer): Buffer => {
	const [h, s, six] = Buffer.from('HS6');
	const others: Buffer[] = [];
	for (let [start, end] = [0, listing.indexOf(0)]; end !== -1; end = listing.indexOf(0, start)) {
		const tag = listing[start];
		// Only the mode of a submodule has this digit there: `H 160000 …`.
		if ((tag !== h && tag !== s) || listing[start + 3] === six) {
			others.push(listing.subarray(start, end + 1));
		}

		start = end + 1;
	}

	return Buffer.concat(others);
};

/** Parses git's warnings about folders that it can't open; git cuts one with a path longer than the system allows. */
const closedFolders = (stderr: string): readonly SkippedPath[] =>
	[...stderr.matchAll(/^warning: could not open directory '(.*?)(?:\/': .*)?$/gm)].map(
		([line, path = '']) => ({
			path,
			why: line.endsWith(': Permission denied') ? 'unreadable' : 'long',
		}),
	);

/** `edited` are tracked files, or the entries that replaced them. */
type Found = ReturnType<typeof nothingYet>;

const nothingYet = () => ({
	changed: new Set<string>(),
	edited: new Set<string>(),
	removed: new Set<string>(),
	nested: [] as string[],
	submodules: new Map<string, string>(),
	folders: new Set<string>(),
});

const sort = ({tag, mode, oid, path}: Line, found: Found): void => {
	if (tag === '?' && path.endsWith('/')) {
		found.nested.push(path.slice(0, -1));
		return;
	}

	addFolders(found.folders, path);
	if (tag === 'R') {
		found.removed.add(path);
	} else if (mode === submoduleMode) {
		found.submodules.set(path, oid);
	} else if (tag === 'C') {
		found.edited.add(path);
	} else if (tag === '?') {
		found.changed.add(path);
	}
};

const settled = ({edited, ...found}: Found): Omit<Listing, 'closed' | 'hasAttributes'> => {
	const {changed, removed, submodules, folders} = found;
	// A tracked file with a new file below it is a folder now.
	for (const path of edited) {
		(folders.has(path) ? removed : changed).add(path);
	}

	for (const path of removed) {
		changed.delete(path);
		submodules.delete(path);
	}

	return found;
};

type Line = Entry & {readonly tag: string; readonly path: string};

/** Reads `<tag> <path>`. */
const parseChange = (line: string): Line => ({
	...{tag: line.slice(0, 1), path: line.slice(2)},
	...{mode: '', oid: ''},
});

/** Reads `? <path>`, or `<tag> <mode> <oid> <stage> TAB <path>`. */
const parse = (line: string): Line => {
	const tag = line.slice(0, 1);
	if (tag === '?') {
		return parseChange(line);
	}

	const [entry, path] = [line.slice(2, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
	const [mode = '', oid = ''] = entry.split(' ');
	return {tag, mode, oid, path};
};

const addFolders = (folders: Set<string>, path: string): void => {
	const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	if (!folders.has(parent)) {
		folders.add(parent);
		for (const folder of foldersAbove(path)) {
			folders.add(folder);
		}
	}
};
