import {mkdir, mkdtemp, open, realpath, rename, writeFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {textInFile} from '../../lib/files/reading.ts';
import {withTemporaryIndex} from '../index-entries.ts';
import {type GitResult, gitsWords, splitNul} from '../process/result.ts';
import {sealed, type WorktreeLocation} from '../process/sealed.ts';
import {findUnwritable} from '../repository/unwritable-paths.ts';
import {linkedFolder, linkOf} from '../store/linked-tree.ts';
import type {Store} from '../store/store.ts';
import {blobSizes} from '../tree/blobs.ts';
import {type Change, diffTree, inverse, newOf, oldOf} from '../tree/changes.ts';
import {blockerAbove, diskPath, entryOnDisk, isFileAt} from '../tree/disk-path.ts';
import {submoduleMode} from '../tree/entry.ts';
import {type Between, treesOf} from '../tree/graft.ts';
import {entriesOf} from '../tree/listing.ts';
import {ignoredIn, within, withRights, withWorktree} from './open-worktree.ts';

export type RevertParts = {
	/** The agent's worktree. */
	readonly tree: string;
	/** Changes from the baseline to a snapshot that was just taken. */
	readonly changes: readonly Change[];
	/** Path of the patch of the reverted work, for `git apply`. */
	readonly patchFile: string;
};

/**
Reverts paths of a worktree to the baseline, after writing a patch of their current content.

Git reverts them, with an index of just these paths: it never follows a link in place of a folder, and touches nothing unless every path is still as in the snapshot. Ignored files in the way are moved beside the patch. Unwritable folders of ours are made writable meanwhile.

@throws `Failure` of kind `refused` when a path changed since the snapshot (nothing has changed then; take another snapshot), of kind `missing` when a path can't be reverted.
*/
export const revertPaths = async (store: Store, parts: RevertParts): Promise<void> => {
	await revertNow(store, parts, requireNone);
};

/**
Reverts as much as possible, and returns the other paths with the cause.

@throws `Failure` of kind `refused` when a path changed since the snapshot.
*/
export const revertPossible = (store: Store, parts: RevertParts): Promise<Stuck> =>
	revertNow(store, parts, () => {});

const requireNone = (stuck: Stuck): void => {
	const [first] = stuck;
	if (first !== undefined) {
		const [path, cause] = first;
		throw new Failure('missing', `The worktree can’t be set back: ${path} stays, since ${cause}.`, {
			hint: 'See who owns the folder, and its mode.',
		});
	}
};

const revertNow = async (
	store: Store,
	{tree, changes, patchFile}: RevertParts,
	judge: (stuck: Stuck) => void,
): Promise<Stuck> => {
	if (changes.length === 0) {
		return new Map();
	}

	await keepPatch(store, changes, patchFile);
	const paths = changes.map(({path}) => path);
	return withWorktree(tree, workTree =>
		withRights(workTree, paths, async () => {
			const stuck = await findStuck(workTree, changes);
			judge(stuck);
			const possible = changes.filter(({path}) => !stuck.has(path));
			const more = await withTemporaryIndex(store, index =>
				putInPlace({...store, workTree, index}, possible, patchFile),
			);
			judge(more);
			return new Map([...stuck, ...more]);
		}),
	);
};

const putInPlace = async (
	location: Store & WorktreeLocation,
	changes: readonly Change[],
	patchFile: string,
): Promise<Stuck> => {
	const trees = await treesOf(location, changes);
	await requireUnchanged(location, trees.after);
	const removed = changes.filter(({status}) => status === 'D').map(({path}) => path);
	await moveIgnored(location, removed, `${patchFile}.ignored-`);
	const readTree = (...options: readonly string[]) =>
		sealed(location, ['read-tree', ...options, '-m', '-u', trees.after, trees.before], {
			expect: 'any',
			opens: 'to write',
		});
	// Git refuses before it touches anything; a failure in the middle isn't caused by a concurrent edit.
	const rehearsed = await readTree('--dry-run');
	if (rehearsed.code !== 0) {
		throw changedSince(gitsWords(rehearsed));
	}

	const result = await readTree();
	const stuck = await findStuckAfter(location, changes, trees, result);
	if (result.code !== 0 && stuck.size === 0) {
		throw changedSince(gitsWords(result));
	}

	return stuck;
};

const requireUnchanged = async (location: WorktreeLocation, after: string): Promise<void> => {
	const [path] = await differingFrom(location, after);
	if (path !== undefined) {
		throw changedSince(path);
	}
};

/** Fills the index with a tree, and returns the paths of it whose files differ or don't exist. */
const differingFrom = async (
	location: WorktreeLocation,
	tree: string,
	refresh: {readonly expect?: 'any'} = {},
): Promise<readonly string[]> => {
	await sealed(location, ['read-tree', tree]);
	await sealed(location, ['update-index', '-q', '--refresh'], refresh);
	const args = ['diff-files', '-z', '--name-only', '--ignore-submodules'];
	return splitNul((await sealed(location, args)).stdout);
};

const changedSince = (what: string): Failure =>
	new Failure('refused', `The worktree changed while it was reverted: ${what}`, {
		hint: 'Take another snapshot and revert what that one shows.',
	});

/** Writes changes as a patch and syncs it. Git can't diff a file of 2 GiB, so files beyond `mostBytes` are listed at its top with their object ids, which the snapshot contains. */
const keepPatch = async (
	store: Store,
	changes: readonly Change[],
	patchFile: string,
): Promise<void> => {
	const {fitting, long} = await tellApart(store, changes);
	const diff = await diffOf(store, fitting);
	const file = await open(`${patchFile}.making`, 'w');
	try {
		await file.writeFile(long.map(noteOf(store)).join(''));
		await file.writeFile(diff);
		await file.sync();
	} finally {
		await file.close();
	}

	await rename(`${patchFile}.making`, patchFile);
};

/** Maximum bytes of content in a patch. */
const mostBytes = 64 * 2 ** 20;

type Parts = {readonly fitting: readonly Change[]; readonly long: readonly Change[]};

const tellApart = async (store: Store, changes: readonly Change[]): Promise<Parts> => {
	const sizes = await blobSizes(store, changes.flatMap(contentsOf));
	const fitting: Change[] = [];
	const long: Change[] = [];
	let room = mostBytes;
	for (const change of changes) {
		const size = contentsOf(change).reduce((sum, oid) => sum + (sizes.get(oid) ?? 0), 0);
		if (size <= room) {
			room -= size;
			fitting.push(change);
		} else {
			long.push(change);
		}
	}

	return {fitting, long};
};

const contentsOf = (change: Change): readonly string[] =>
	[oldOf(change), newOf(change)].flatMap(entry =>
		entry === undefined || entry.mode === submoduleMode ? [] : [entry.oid],
	);

/** Returns a line about a file; its name is quoted, so that it can't be taken for a line of the patch. */
const noteOf =
	({gitDir}: Store) =>
	(change: Change): string => {
		const path = JSON.stringify(change.path);
		return 'new' in change
			? `${path} is too long for a patch: git --git-dir '${gitDir}' cat-file blob ${change.new.oid}\n`
			: `${path} was removed.\n`;
	};

const diffOf = async (store: Store, changes: readonly Change[]): Promise<Buffer> => {
	const {before, after} = await treesOf(store, changes);
	return diffTree(store, ['--patch', '--binary', '--full-index', '--no-renames', before, after]);
};

/**
Moves ignored files, folders and special files away from paths that will be restored, into a new folder whose path starts with `prefix`.

Git treats ignored files as expendable and would overwrite them, even inside a folder. But no snapshot contains them, and the ignore rule may be the agent's own.
*/
const moveIgnored = async (
	location: WorktreeLocation,
	paths: readonly string[],
	prefix: string,
): Promise<void> => {
	const root = location.workTree;
	const found = new Set(
		await Promise.all(paths.map(async path => (await blockerAbove(root, path)) ?? path)),
	);
	const there = await Promise.all(
		[...found].map(async path => ({path, entry: await entryOnDisk(root, path)})),
	);
	const ignored = await ignoredIn(location, [...found]);
	const inTheWay = there.filter(
		({path, entry}) =>
			entry !== undefined && (ignored.has(path) || !(entry.isFile() || entry.isSymbolicLink())),
	);
	if (inTheWay.length === 0) {
		return;
	}

	const aside = await mkdtemp(prefix);
	for (const {path} of inTheWay) {
		await mkdir(diskPath(aside, dirname(path)), {recursive: true});
		const steps = path.split('/');
		await within(root, steps.slice(0, -1), folder =>
			rename(diskPath(folder, steps.at(-1) ?? ''), diskPath(aside, path)),
		);
	}
};

/** Paths that can't be reverted, each with the cause. */
export type Stuck = ReadonlyMap<string, string>;

/** Finds the changes that can't be reverted for lack of permission, before anything is touched. */
const findStuck = async (root: string, changes: readonly Change[]): Promise<Stuck> => {
	const unwritable = await findUnwritable(root, changes.map(inverse));
	return new Map(
		[...unwritable].map(([path, {folder, because}]) => [
			path,
			because === 'read-only'
				? `the file system of ./${folder} is read-only`
				: `only its owner may write in ./${folder}`,
		]),
	);
};

/** Finds the changes that git has not reverted: it only warns about a file that it can't remove. If a file is neither old nor new, none counts, since another process was writing there. */
const findStuckAfter = async (
	location: WorktreeLocation,
	changes: readonly Change[],
	{before, after}: Between,
	result: GitResult,
): Promise<Stuck> => {
	if (result.code === 0 && result.stderr === '') {
		return new Map();
	}

	const notBefore = await notAsIn(location, before, changes);
	const notAfter = await notAsIn(location, after, changes);
	const isForeign = [...notBefore].some(path => notAfter.has(path));
	return new Map(isForeign ? [] : [...notBefore].map(path => [path, causeOf(result)]));
};

const causeOf = (result: GitResult): string => gitsWords(result).replace(/^warning: /, '');

/** Returns the changed paths that differ from a tree on disk. */
const notAsIn = async (
	location: WorktreeLocation,
	tree: string,
	changes: readonly Change[],
): Promise<ReadonlySet<string>> => {
	const differs = new Set(await differingFrom(location, tree, {expect: 'any'}));
	const listed = await entriesOf(location, tree);
	for (const {path} of changes) {
		if (!listed.has(path) && (await isFileAt(location.workTree, path))) {
			differs.add(path);
		}
	}

	return differs;
};

/** Damage to a `.git`; with `trouble`, it was moved aside and no new one could be made. */
export type Relinked = {readonly change: 'modified' | 'deleted'; readonly trouble?: unknown};

/**
Restores a worktree's `.git` file that no longer leads to its hub, and returns the damage.

The agent's git uses it; the supervisor doesn't. The entry in its place, maybe a repository with work, is moved aside. Without a hub nothing happens.
*/
export const relink = (
	tree: string,
	{hub, aside}: {readonly hub: string; readonly aside: string},
): Promise<Relinked | undefined> =>
	withWorktree(tree, async root => {
		const goal = await realpath(linkedFolder(hub)).catch(() => undefined);
		if (goal === undefined || (await goalOf(root, tree)) === goal) {
			return undefined;
		}

		if ((await entryOnDisk(root, '.git')) === undefined) {
			await makeLink(root, hub);
			return {change: 'deleted'};
		}

		await mkdir(dirname(aside), {recursive: true});
		await rename(join(root, '.git'), aside);
		try {
			await makeLink(root, hub);
			return {change: 'modified'};
		} catch (trouble) {
			return {change: 'modified', trouble};
		}
	});

const makeLink = (root: string, hub: string): Promise<void> =>
	writeFile(join(root, '.git'), linkOf(hub), {flag: 'wx'});

/** Returns the target of a `.git` file. */
const goalOf = async (root: string, tree: string): Promise<string | undefined> => {
	const text = textInFile(join(root, '.git'), mostLinkBytes);
	const [, path] = /^gitdir: (.+)\n$/.exec(text) ?? [];
	return path === undefined ? undefined : realpath(resolve(tree, path)).catch(() => undefined);
};

const mostLinkBytes = 10_000;
