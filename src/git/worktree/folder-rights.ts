import {chmod} from 'node:fs/promises';
import {ownerRights} from '../../lib/files/owner-rights.ts';
import {entryOnDisk, foldersAbove} from '../tree/disk-path.ts';
import {within} from './open-worktree.ts';

/**
Gives ourselves all rights in the folders above those paths of a worktree while something is done; afterwards they have the modes that they had.

A worktree is ours, and an agent may close a folder of it. What belongs to another user stays as it is.
*/
export const withRights = async <Result>(
	root: string,
	paths: readonly string[],
	use: () => Promise<Result>,
): Promise<Result> => {
	const lent: (readonly [folder: string, mode: number])[] = [];
	// In this order a folder comes after the one that it lies in.
	for (const folder of ['', ...new Set(paths.flatMap(foldersAbove))].toSorted()) {
		const mode = await widen(root, folder);
		if (mode !== undefined) {
			lent.push([folder, mode]);
		}
	}

	try {
		return await use();
	} finally {
		for (const [folder, mode] of lent.toReversed()) {
			await setMode(root, folder, mode);
		}
	}
};

/** Returns the mode that a folder had, if it had to be changed. */
const widen = async (root: string, folder: string): Promise<number | undefined> => {
	const entry = await entryOnDisk(root, folder).catch(() => undefined);
	if (!entry?.isDirectory() || (entry.mode & ownerRights) === ownerRights) {
		return undefined;
	}

	const mode = entry.mode & 0o7777;
	return (await setMode(root, folder, mode | ownerRights)) ? mode : undefined;
};

/** A folder that is gone by then, or is another user's, is left alone. */
const setMode = (root: string, folder: string, mode: number): Promise<boolean> =>
	within(root, folder === '' ? [] : folder.split('/'), path => chmod(`${path}/`, mode)).then(
		() => true,
		() => false,
	);
