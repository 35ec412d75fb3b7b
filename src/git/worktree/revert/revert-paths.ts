import {unlink} from 'node:fs/promises';
import {Failure} from '../../../lib/failure.ts';
import {withTemporaryIndex} from '../../index/temporary-index.ts';
import {splitNul} from '../../process/nul.ts';
import {gitsWords} from '../../process/result.ts';
import {sealed, type WorktreeLocation} from '../../process/sealed.ts';
import type {Store} from '../../store/store.ts';
import type {Change} from '../../tree/changes.ts';
import {diskPath, entryOnDisk, isBelowFolders} from '../../tree/disk-path.ts';
import {treesOf} from '../../tree/graft.ts';
import {withRights} from '../folder-rights.ts';
import {withWorktree} from '../open-worktree.ts';
import {keepPatch} from './keep-patch.ts';
import {moveIgnored} from './move-ignored.ts';
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
