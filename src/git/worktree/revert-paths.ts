import {mkdir, mkdtemp, open, readFile, realpath, rename, writeFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {withTemporaryIndex} from '../index-entries.ts';
import {type GitResult, gitsWords, splitNul} from '../process/result.ts';
import {sealed, type WorktreeLocation} from '../process/sealed.ts';
import {findUnwritable} from '../repository/unwritable-paths.ts';
import {linkedFolder, linkOf} from '../store/linked-tree.ts';
import type {Store} from '../store/store.ts';
import {blobSizes} from '../tree/blobs.ts';
import {type Change, inverse, newOf, oldOf} from '../tree/changes.ts';
import {blockerAbove, diskPath, entryOnDisk, isFileAt} from '../tree/disk-path.ts';
import {submoduleMode} from '../tree/entry.ts';
import {type Between, treesOf} from '../tree/graft.ts';
import {ignoredIn, within, withRights, withWorktree} from './open-worktree.ts';

export type RevertParts = {
	/** The agent's worktree. */
	readonly tree: string;
	/** From the baseline to a snapshot that was just taken: what to take back. */
	readonly changes: readonly Change[];
	/** Where a patch of the agent's work is kept; `git apply` brings it back. */
	readonly patchFile: string;
};

/**
Puts paths of a worktree back to what they were at the baseline, after writing down what they are now.

Git itself does it, from an index that holds just these paths: it never follows a link that stands in place of a folder, it takes such a link away, and it touches nothing unless every one of the paths still is what the snapshot says. Ignored files in the way are moved to a folder beside the patch. A folder that may not be written is opened meanwhile, if it is ours.

@throws `Failure` of kind `refused` when a path changed since the snapshot; nothing has changed then, and another snapshot tells what to do. Of kind `missing` when a path can't be reverted.
*/
export const revertPaths = async (store: Store, parts: RevertParts): Promise<void> => {
	await revertNow(store, parts, requireNone);
};

/**
Does the same for all that can be reverted, and returns what can't, with the cause.

@throws `Failure` of kind `refused` when a path changed since the snapshot.
*/
export const revertPossible = (store: Store, parts: RevertParts): Promise<Stuck> =>
	revertNow(store, parts, () => {});

const requireNone = (stuck: Stuck): void => {
	const [first] = stuck;
	if (first !== undefined) {
		const [path, cause] = first;
		throw new Failure('missing', `The worktree can’t be set back: ${path} stays, for ${cause}.`, {
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
		});
	// What git refuses it refuses before it touches anything; what it fails in the middle of is no change of anybody's.
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

/** Fills the index with what the snapshot says, and compares that with the disk. */
const requireUnchanged = async (location: WorktreeLocation, after: string): Promise<void> => {
	await sealed(location, ['read-tree', after]);
	await sealed(location, ['update-index', '-q', '--refresh']);
	const {stdout} = await sealed(location, [
		'diff-files',
		'-z',
		'--name-only',
		'--ignore-submodules',
	]);
	const [path] = splitNul(stdout);
	if (path !== undefined) {
		throw changedSince(path);
	}
};

const changedSince = (what: string): Failure =>
	new Failure('refused', `The worktree changed while it was reverted: ${what}`, {
		hint: 'Take another snapshot and revert what that one shows.',
	});

/**
Keeps changes as a patch, whole and on disk; `git apply` brings them back.

Git can't write a patch of a file of 2 GiB, and nobody can read one of many. So files beyond what a patch can hold are named at its top with the id of their content, which the snapshot has.
*/
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

/** So many bytes of content go into a patch. */
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

/** A name in quotes can't pass for a line of the patch. */
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
	const options = ['--patch', '--binary', '--full-index', '--no-renames'];
	const plain = ['--no-ext-diff', '--no-textconv'];
	return (await sealed(store, ['diff-tree', '-r', ...options, ...plain, before, after])).stdout;
};

/**
Moves ignored files and special files out of the way of paths that are to be restored, into a new folder whose path begins as given.

Git treats ignored files as expendable and would overwrite them. But no snapshot holds them, and the ignore rule may be the agent's own.
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
			entry !== undefined &&
			(ignored.has(path) || !(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())),
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

/** Finds out, before anything is touched, which changes can't be taken back for want of a right. */
const findStuck = async (root: string, changes: readonly Change[]): Promise<Stuck> => {
	const unwritable = await findUnwritable(root, changes.map(inverse));
	return new Map(
		[...unwritable].map(([path, {folder, because}]) => [
			path,
			because === 'read-only'
				? `the file system of ./${folder} is read-only`
				: `nobody but its owner may write in ./${folder}`,
		]),
	);
};

/**
Finds out which changes git has not taken back; git warns of a file that it can't remove, and goes on.

Nothing counts when a file is neither as it was nor as it was to be: then somebody was at work there.
*/
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

/** Git goes on after a warning, and ends after an error. */
const causeOf = (result: GitResult): string => gitsWords(result).replace(/^warning: /, '');

/** Returns the changed paths that are not on the disk as that tree has them. */
const notAsIn = async (
	location: WorktreeLocation,
	tree: string,
	changes: readonly Change[],
): Promise<ReadonlySet<string>> => {
	await sealed(location, ['read-tree', tree]);
	await sealed(location, ['update-index', '-q', '--refresh'], {expect: 'any'});
	const args = ['diff-files', '-z', '--name-only', '--ignore-submodules'];
	const differs = new Set(splitNul((await sealed(location, args)).stdout));
	const listed = new Set(
		splitNul((await sealed(location, ['ls-tree', '-r', '-z', '--name-only', tree])).stdout),
	);
	for (const {path} of changes) {
		if (!listed.has(path) && (await isFileAt(location.workTree, path))) {
			differs.add(path);
		}
	}

	return differs;
};

/** What had become of a `.git`; with `trouble`, it was moved aside and none stands in its place yet. */
export type Relinked = {readonly change: 'modified' | 'deleted'; readonly trouble?: unknown};

/**
Brings a worktree's `.git` back that leads to its repository no more, and returns what had become of it.

Nothing of ours goes by it, but the agent's own git does. What stands in its place, maybe a repository with work in it, is moved aside. Where there is no such repository any more there is nothing to lead to.
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

/** Where the worktree's `.git` leads, if it is the kind of file that it was made as. */
const goalOf = async (root: string, tree: string): Promise<string | undefined> => {
	const entry = await entryOnDisk(root, '.git');
	if (!entry?.isFile() || entry.size > mostLinkBytes) {
		return undefined;
	}

	const text = await readFile(join(root, '.git'), 'utf8').catch(() => '');
	const [, path] = /^gitdir: (.+)\n$/.exec(text) ?? [];
	return path === undefined ? undefined : realpath(resolve(tree, path)).catch(() => undefined);
};

/** More than any path. */
const mostLinkBytes = 10_000;
