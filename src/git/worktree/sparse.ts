import {isInCone} from '../../lib/cone.ts';
import {offerEntries, removeEntries} from '../index-entries.ts';
import {joinNul, splitNul} from '../process/result.ts';
import {sealed, type WorktreeLocation} from '../process/sealed.ts';
import type {Change} from '../tree/changes.ts';
import {entryOnDisk, foldersAbove} from '../tree/disk-path.ts';
import {entriesOf} from '../tree/listing.ts';
import {withWorktree} from './open-worktree.ts';

/** Part of a tree that a sparse worktree doesn't check out. */
export type BeyondCone = {
	/** Folders that the worktree has; see `isInCone`. */
	readonly folders: readonly string[];
	/** Tree with the content outside of them. */
	readonly as: string;
};

/**
Adds the part outside a sparse worktree to an index, as it is in another tree, with `--skip-worktree`.

So a file that was never checked out doesn't count as deleted. One that exists outside anyway, since it was written or copied, counts like any other.
*/
export const leaveOut = async (
	location: WorktreeLocation,
	{folders, as}: BeyondCone,
): Promise<void> => {
	const isOutside = (path: string) => !isInCone(folders, path);
	const entries = [...(await entriesOf(location, as))].filter(([path]) => isOutside(path));
	const known = new Set(entries.map(([path]) => path));
	const {stdout} = await sealed(location, ['ls-files', '-z']);
	const others = splitNul(stdout).filter(path => isOutside(path) && !known.has(path));
	const isMissing = lookFor(location.workTree);
	await removeEntries(location, await filtered(others, isMissing));
	await offerEntries(location, entries);
	await sealed(location, ['update-index', '--skip-worktree', '-z', '--stdin'], {
		input: joinNul(await filtered([...known], isMissing)),
	});
};

const filtered = async <Value>(
	values: readonly Value[],
	isWanted: (value: Value) => Promise<boolean>,
): Promise<readonly Value[]> => {
	const wanted: Value[] = [];
	for (const value of values) {
		if (await isWanted(value)) {
			wanted.push(value);
		}
	}

	return wanted;
};

/** Returns the changes that apply to a worktree's files: without those of files outside a sparse one. */
export const reachable = (
	tree: string,
	folders: readonly string[] | undefined,
	changes: readonly Change[],
): Promise<readonly Change[]> =>
	folders === undefined
		? Promise.resolve(changes)
		: withWorktree(tree, root => {
				const isMissing = lookFor(root);
				return filtered(
					changes,
					async change =>
						!('new' in change) || isInCone(folders, change.path) || !(await isMissing(change.path)),
				);
			});

/** Returns a function that checks whether a file is missing, and checks each folder once. */
const lookFor = (root: string): ((path: string) => Promise<boolean>) => {
	const folders = new Map<string, Promise<boolean>>();
	const isFolder = async (folder: string) =>
		(await entryOnDisk(root, folder))?.isDirectory() ?? false;
	return async path => {
		for (const folder of foldersAbove(path)) {
			const known = folders.get(folder) ?? isFolder(folder);
			folders.set(folder, known);
			if (!(await known)) {
				return true;
			}
		}

		return (await entryOnDisk(root, path)) === undefined;
	};
};
