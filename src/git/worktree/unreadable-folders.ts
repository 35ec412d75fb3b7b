import {constants} from 'node:fs';
import {access, readdir} from 'node:fs/promises';
import {decodePath} from '../../lib/byte-path.ts';
import {diskPath, entryOnDisk, isBelowFolders, isRefusal} from '../disk-path.ts';
import type {WorkPlace} from '../sealed.ts';
import {ignoredIn} from './ignored-in.ts';

/**
Returns the folders of a worktree that we may not read, ignored ones left out.

@param listed the folders that hold something tracked or new; only what lies in them, and in none of them, has to be looked at
*/
export const findUnreadableFolders = async (
	place: WorkPlace,
	listed: ReadonlySet<string>,
): Promise<readonly string[]> => {
	const found: string[] = [];
	let level: readonly string[] = ['', ...listed];
	while (level.length > 0) {
		const below: string[] = [];
		for (const folder of level) {
			if (!(await isFolder(place.workTree, folder))) {
				continue;
			}

			if (await isClosed(place.workTree, folder)) {
				found.push(folder);
			} else {
				below.push(...(await foldersIn(place.workTree, folder)));
			}
		}

		const unseen = [...new Set(below)].filter(folder => !listed.has(folder));
		const ignored = await ignoredIn(place, unseen);
		level = unseen.filter(folder => !ignored.has(folder));
	}

	return [...new Set(found)].toSorted();
};

/** What a link in its place leads to is none of ours. */
const isFolder = async (root: string, folder: string): Promise<boolean> =>
	folder === '' ||
	((await isBelowFolders(root, folder).catch(() => false)) &&
		(await entryOnDisk(root, folder).catch(() => undefined))?.isDirectory() === true);

/** One that is gone meanwhile hides nothing. */
const isClosed = (root: string, folder: string): Promise<boolean> =>
	access(diskPath(root, folder), constants.R_OK | constants.X_OK).then(() => false, isRefusal);

const foldersIn = async (root: string, folder: string): Promise<readonly string[]> => {
	const options = {withFileTypes: true, encoding: 'buffer'} as const;
	const entries = await readdir(diskPath(root, folder), options).catch(() => []);
	return entries
		.filter(entry => entry.isDirectory())
		.map(({name}) => decodePath(name))
		.filter(name => name !== '.git')
		.map(name => (folder === '' ? name : `${folder}/${name}`));
};
