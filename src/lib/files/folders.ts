import {constants} from 'node:fs';
import {access, chmod, lstat, mkdir, mkdtemp, readdir, rm, stat} from 'node:fs/promises';
import {dirname, sep} from 'node:path';
import {Failure} from '../failure.ts';
import {errorCode, ifThere, ownerRights, succeeds} from './reading.ts';

/**
Removes a file or folder recursively, including read-only folders of ours, without following links.

@throws `Failure` of kind `refused`, before anything is removed, when a folder in it belongs to another user and can't be changed.
*/
export const removeFolder = async (path: string): Promise<void> => {
	const closed = await openBelow(Buffer.from(path));
	if (closed !== undefined) {
		throw new Failure(
			'refused',
			`${path} was not removed: there is no right to change the folder ${closed} in it.`,
			{hint: 'See who owns that folder.'},
		);
	}

	await rm(path, {recursive: true, force: true});
};

/** Makes a folder and those in it writable; returns the first that can't be. A removal that has failed may go on in the background, so any of them may vanish. */
const openBelow = async (path: Buffer): Promise<string | undefined> => {
	const entry = await ifThere(lstat(path));
	if (!entry?.isDirectory()) {
		return undefined;
	}

	if ((entry.mode & ownerRights) !== ownerRights) {
		await chmod(path, (entry.mode & 0o7777) | ownerRights).catch(() => {});
	}

	const look = readdir(path, {withFileTypes: true, encoding: 'buffer'});
	const entries = await ifThere(look).catch(() => null);
	if (entries === undefined) {
		return undefined;
	}

	// Removing an empty folder only needs permission in its parent.
	if (entries === null || (entries.length > 0 && !(await mayChange(path)))) {
		return path.toString('utf8');
	}

	for (const {name} of entries.filter(one => one.isDirectory())) {
		const closed = await openBelow(Buffer.concat([path, Buffer.from('/'), name]));
		if (closed !== undefined) {
			return closed;
		}
	}

	return undefined;
};

const mayChange = (path: Buffer): Promise<boolean> =>
	succeeds(ifThere(access(path, constants.W_OK | constants.X_OK)));

/** Creates a folder and its missing parents. Node.js's `mkdir` with `recursive` loops forever if an existing parent doesn't allow it, as in /proc. */
export const makeFolders = async (path: string, mode: number): Promise<void> => {
	try {
		await mkdir(path, {mode});
	} catch (error) {
		if (errorCode(error) !== 'ENOENT') {
			return unlessFolder(path)(error);
		}

		await makeFolders(dirname(path), mode);
		await mkdir(path, {mode}).catch(unlessFolder(path));
	}
};

/** Rethrows an error unless another process has created the folder meanwhile. */
const unlessFolder =
	(path: string) =>
	async (error: unknown): Promise<void> => {
		if (errorCode(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) {
			throw error;
		}
	};

/** Creates a temporary folder, which is removed at the end of the `await using` block. */
export const temporaryFolder = async (
	prefix: string,
): Promise<AsyncDisposable & {readonly path: string}> => {
	const path = await mkdtemp(prefix);
	const remove = () =>
		rm(path, {recursive: true, force: true, maxRetries: 3}).catch(() => removeFolder(path));
	return {path, [Symbol.asyncDispose]: remove};
};

/** Returns whether a path is a folder or something in it; both are absolute, without links to resolve. */
export const isIn = (folder: string, path: string): boolean =>
	folder === sep || path === folder || path.startsWith(`${folder}${sep}`);
