import {mkdir, mkdtemp, rename, rm, unlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../lib/if-there.ts';
import type {Place} from '../sealed.ts';
import type {Store} from '../store.ts';

/** A place with a folder for new objects. */
export type NewPlace = Place & {readonly newObjects: string};

/**
Gives a place whose folder for new objects is nobody else's, and empty but for the folders that git will look for.

Git puts its objects into up to 256 folders. To make them for each snapshot and take them away again would take longer than to write the objects, and some file systems (ext4) pass over what was removed lately one by one, each time that something is made. So one folder is kept, with those in it; of two who want it at once, one makes another.
*/
export const claimFolder = async (store: Store): Promise<NewPlace> => {
	const {gitDir} = store;
	// By its name and its age git's garbage collection knows what a kill left behind.
	const newObjects = await mkdtemp(join(gitDir, 'objects/tmp_objdir-'));
	const isSpare = await ifThere(rename(spareOf(gitDir), newObjects).then(() => true));
	if (isSpare) {
		const now = new Date();
		await utimes(newObjects, now, now);
	} else {
		await mkdir(join(newObjects, 'info'));
		await writeFile(join(newObjects, 'info/alternates'), '..\n');
	}

	return {...store, newObjects};
};

/** Beside the objects, where no git looks. */
const spareOf = (gitDir: string): string => join(gitDir, 'spare-objects');

/** Keeps the folder for the next one, without the files that are left in it, unless one is kept already. */
export const releaseFolder = async (place: NewPlace, left: readonly string[]): Promise<void> => {
	const {gitDir, newObjects} = place;
	try {
		for (const path of left) {
			await unlink(join(newObjects, path));
		}

		await rename(newObjects, spareOf(gitDir));
	} catch {
		await dropFolder(place);
	}
};

/** Removes the folder with all that is in it. */
export const dropFolder = ({newObjects}: NewPlace): Promise<void> =>
	rm(newObjects, {recursive: true, force: true});
