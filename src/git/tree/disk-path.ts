import {lstat} from 'node:fs/promises';
import {errorCode, ifThere} from '../../lib/files/reading.ts';
import {encodePath} from '../../lib/text/byte-path.ts';

/** Returns a path of a tree on disk, as bytes, because not every name is a string. */
export const diskPath = (root: string, path: string): Buffer =>
	Buffer.concat([Buffer.from(`${root}/`), encodePath(path)]);

/** Runs `lstat` on a path of a tree; `undefined` if it doesn't exist. */
export const entryOnDisk = (root: string, path: string) => ifThere(lstat(diskPath(root, path)));

/** Returns the folders above a path, from the top: `a` and `a/b` for `a/b/c`. */
export const foldersAbove = (path: string): string[] => {
	const parts = path.split('/').slice(0, -1);
	return parts.map((_, position) => parts.slice(0, position + 1).join('/'));
};

/** Returns the first parent of a path that is a link or a file in place of a folder. */
export const blockerAbove = async (root: string, path: string): Promise<string | undefined> => {
	for (const folder of foldersAbove(path)) {
		const entry = await entryOnDisk(root, folder);
		if (entry === undefined || !entry.isDirectory()) {
			return entry && folder;
		}
	}

	return undefined;
};

/** Returns whether all folders above a path are real: neither links nor files. */
export const isBelowFolders = async (root: string, path: string): Promise<boolean> =>
	(await blockerAbove(root, path)) === undefined;

export const isRefusal = (error: unknown): boolean =>
	['EACCES', 'EPERM'].includes(errorCode(error) ?? '');

/** Returns whether a file or link exists at a path, below real folders only. */
export const isFileAt = async (root: string, path: string): Promise<boolean> => {
	const entry = (await isBelowFolders(root, path)) ? await entryOnDisk(root, path) : undefined;
	return entry !== undefined && !entry.isDirectory();
};
