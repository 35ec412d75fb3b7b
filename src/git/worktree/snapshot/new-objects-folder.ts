import {mkdir, mkdtemp, rename, rm, unlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {diskFailure} from '../../../lib/files/disk-failure.ts';
import type {GitLocation} from '../../process/sealed.ts';
import type {Store} from '../../store/store.ts';

/** A location with a folder for new objects. */
export type NewObjectsLocation = GitLocation & {readonly newObjects: string};

/**
Gives a location whose folder for new objects is nobody else's, and empty but for the folders that git will look for.

Git puts its objects into up to 256 folders. To make them for each snapshot and take them away again would take longer than to write the objects, and some file systems (ext4) pass over what was removed lately one by one, each time that something is made. So one folder is kept, with those in it; of two who want it at once, one makes another.

@throws `Failure` that names the cause when there can be none.
*/
export const claimFolder = async (store: Store): Promise<NewObjectsLocation> => {
	try {
		// By its name and its age git's garbage collection knows what a kill left behind.
		const newObjects = await mkdtemp(join(store.gitDir, 'objects/tmp_objdir-'));
		return await prepared({...store, newObjects});
	} catch (error) {
		throw storeFailure(error);
	}
};

/** The error of somebody who can't bring new objects into the store. */
export const storeFailure = (error: unknown): unknown =>
	diskFailure('New objects could not be written into the store', error);

/** Whatever is wrong with the kept folder, a new one will do. */
const prepared = async (location: NewObjectsLocation): Promise<NewObjectsLocation> => {
	const info = join(location.newObjects, 'info');
	try {
		await takeSpare(location).catch(() => undefined);
		await mkdir(info, {recursive: true});
		// It is never synced, so the kept one may be torn.
		await writeFile(join(info, 'alternates'), '..\n');
		return location;
	} catch (error) {
		await dropFolder(location);
		throw error;
	}
};

const takeSpare = async ({gitDir, newObjects}: NewObjectsLocation): Promise<void> => {
	const now = new Date();
	await utimes(spareOf(gitDir), now, now);
	await rename(spareOf(gitDir), newObjects);
};

/** Beside the objects, where no git looks. */
const spareOf = (gitDir: string): string => join(gitDir, 'spare-objects');

/** Keeps the folder for the next one, without the files that are of no use any more, unless one is kept already. */
export const releaseFolder = async (
	location: NewObjectsLocation,
	spent: readonly string[],
): Promise<void> => {
	const {gitDir, newObjects} = location;
	try {
		for (const path of spent) {
			await unlink(join(newObjects, path));
		}

		await rename(newObjects, spareOf(gitDir));
	} catch {
		await dropFolder(location);
	}
};

/** Removes the folder with all that is in it; what can't be removed is garbage, and no reason to fail. */
export const dropFolder = ({newObjects}: NewObjectsLocation): Promise<void> =>
	rm(newObjects, {recursive: true, force: true}).catch(() => undefined);
