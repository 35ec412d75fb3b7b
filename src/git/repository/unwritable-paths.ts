import {constants} from 'node:fs';
import {access} from 'node:fs/promises';
import {errorCode, isAbsence} from '../../lib/files/reading.ts';
import type {Change} from '../tree/changes.ts';
import {diskPath, entryOnDisk, foldersAbove} from '../tree/disk-path.ts';
import {submoduleMode} from '../tree/entry.ts';

export type Barrier = {readonly folder: string; readonly because: 'rights' | 'read-only'};

/**
Returns the changed paths that can't be written, each with the folder that prevents it.

Git replaces a file instead of writing into it, so its folder's mode counts. A changed file that doesn't exist needs no permission.
*/
export const findUnwritable = async (
	root: string,
	changes: readonly Change[],
): Promise<ReadonlyMap<string, Barrier>> => {
	const unwritable = new Map<string, Barrier>();
	const seen = new Map<string, Promise<Folder>>();
	const look = (folder: string): Promise<Folder> => {
		const known = seen.get(folder) ?? lookAt(root, folder);
		seen.set(folder, known);
		return known;
	};

	for (const change of changes.filter(isOfFile)) {
		const barrier = await barrierOf(change.path, look);
		if (barrier !== undefined && (change.status === 'A' || (await maybeThere(root, change.path)))) {
			unwritable.set(change.path, barrier);
		}
	}

	return unwritable;
};

/** Missing, writable, enterable only, on a read-only file system, or not enterable. */
type Folder = 'none' | 'open' | 'shut' | 'read-only' | 'closed';

const isOfFile = (change: Change): boolean =>
	(change.status !== 'A' && change.old.mode !== submoduleMode) ||
	(change.status !== 'D' && change.new.mode !== submoduleMode);

/** Returns the folder that prevents a write: the innermost existing folder must be writable, and those above it enterable. */
const barrierOf = async (
	path: string,
	look: (folder: string) => Promise<Folder>,
): Promise<Barrier | undefined> => {
	let nearest: {readonly folder: string; readonly is: Folder} | undefined;
	for (const folder of ['', ...foldersAbove(path)]) {
		const is = await look(folder);
		if (is === 'none') {
			break;
		}

		nearest = {folder, is};
		if (is === 'closed') {
			break;
		}
	}

	return nearest === undefined || nearest.is === 'open'
		? undefined
		: {folder: nearest.folder, because: nearest.is === 'read-only' ? 'read-only' : 'rights'};
};

const lookAt = async (root: string, folder: string): Promise<Folder> => {
	if (folder !== '' && !(await entryOnDisk(root, folder))?.isDirectory()) {
		return 'none';
	}

	const whyNot = (mode: number): Promise<unknown> =>
		access(diskPath(root, folder), mode).catch((error: unknown) => error);
	const error = await whyNot(constants.W_OK | constants.X_OK);
	if (error === undefined) {
		return 'open';
	}

	if (errorCode(error) === 'EROFS') {
		return 'read-only';
	}

	return (await whyNot(constants.X_OK)) === undefined ? 'shut' : 'closed';
};

/** Returns whether a file may exist: a folder that can't be entered may contain it. */
const maybeThere = (root: string, path: string): Promise<boolean> =>
	entryOnDisk(root, path).then(
		entry => entry !== undefined,
		error => !isAbsence(error),
	);
