import {
	mkdir,
	mkdtemp,
	open,
	readdir,
	readFile,
	realpath,
	rename,
	unlink,
	writeFile,
} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {Failure} from '../../../lib/failure.ts';
import {decodePath} from '../../../lib/text/byte-path.ts';
import {withTemporaryIndex} from '../../index-entries.ts';
import {gitsWords, splitNul} from '../../process/result.ts';
import {sealed, type WorktreeLocation} from '../../process/sealed.ts';
import {linkedFolder, linkOf} from '../../store/linked-tree.ts';
import type {Store} from '../../store/store.ts';
import {blobSizes} from '../../tree/blobs.ts';
import {type Change, newOf, oldOf} from '../../tree/changes.ts';
import {blockerAbove, diskPath, entryOnDisk, isBelowFolders} from '../../tree/disk-path.ts';
import {submoduleMode} from '../../tree/entry.ts';
import {treesOf} from '../../tree/graft.ts';
import {ignoredIn, within, withRights, withWorktree} from '../open-worktree.ts';
import {findStuck, findStuckAfter, type Stuck} from './stuck.ts';

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
	await removeSpecialFiles(location.workTree, changes);
	await moveIgnored(location, removedPaths(changes), `${patchFile}.ignored-`);
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

/** A pipe in place of a removed file holds nothing to lose, but git would not write over it. */
const removeSpecialFiles = async (root: string, changes: readonly Change[]): Promise<void> => {
	for (const path of removedPaths(changes)) {
		if ((await isBelowFolders(root, path)) && (await isSpecial(root, path))) {
			await unlink(diskPath(root, path));
		}
	}
};

const removedPaths = (changes: readonly Change[]): readonly string[] =>
	changes.filter(({status}) => status === 'D').map(({path}) => path);

const isSpecial = async (root: string, path: string): Promise<boolean> => {
	const entry = await entryOnDisk(root, path);
	return entry !== undefined && !(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink());
};

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
Moves ignored files out of the way of paths that are to be reverted, into a new folder whose path begins as given.

To git they are expendable, and it would write over them. But no snapshot holds them, and the rule that they are ignored by may be the agent's own.
*/
const moveIgnored = async (
	location: WorktreeLocation,
	paths: readonly string[],
	prefix: string,
): Promise<void> => {
	const found = await Promise.all(paths.map(path => inTheWayOf(location.workTree, path)));
	const ignored = await ignoredIn(location, [...new Set(found.flat())]);
	if (ignored.size === 0) {
		return;
	}

	const aside = await mkdtemp(prefix);
	for (const path of ignored) {
		await mkdir(diskPath(aside, dirname(path)), {recursive: true});
		await move(location.workTree, path, diskPath(aside, path));
	}
};

const move = async (root: string, path: string, to: Buffer): Promise<void> => {
	const steps = path.split('/');
	await within(root, steps.slice(0, -1), folder =>
		rename(diskPath(folder, steps.at(-1) ?? ''), to),
	);
};

/** What is no folder above the path, or else all that is at the path itself. */
const inTheWayOf = async (root: string, path: string): Promise<readonly string[]> => {
	const blocker = await blockerAbove(root, path);
	if (blocker !== undefined) {
		return [blocker];
	}

	const entry = await entryOnDisk(root, path);
	if (entry?.isDirectory()) {
		return filesBelow(root, path);
	}

	return entry === undefined ? [] : [path];
};

const filesBelow = async (root: string, folder: string): Promise<readonly string[]> => {
	const entries = await readdir(diskPath(root, folder), {withFileTypes: true, encoding: 'buffer'});
	const found = entries.map(async entry => {
		const path = `${folder}/${decodePath(entry.name)}`;
		return entry.isDirectory() ? filesBelow(root, path) : [path];
	});
	return (await Promise.all(found)).flat();
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
