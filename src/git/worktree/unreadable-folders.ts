import {constants} from 'node:fs';
import {access, readdir} from 'node:fs/promises';
import {errorCode} from '../../lib/files/disk-failure.ts';
import {decodePath} from '../../lib/text/byte-path.ts';
import type {WorktreeLocation} from '../process/sealed.ts';
import {diskPath, entryOnDisk, isBelowFolders, isRefusal} from '../tree/disk-path.ts';
import {ignoredIn} from './ignored-in.ts';

/** Why a folder can't be read: we may not, or its path is longer than the system takes. */
export type Closed = 'unreadable' | 'long';

/**
Returns the folders of a worktree that can't be read, ignored ones left out.

@param listed the folders that hold something tracked or new; only what lies in them, and in none of them, has to be looked at
*/
export const findUnreadableFolders = async (
	location: WorktreeLocation,
	listed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Closed>> => {
	const found = new Map<string, Closed>();
	let level: readonly string[] = ['', ...listed];
	while (level.length > 0) {
		const below: string[] = [];
		for (const folder of level) {
			const look = await lookAt(location.workTree, folder);
			if (look === 'open') {
				below.push(...(await foldersIn(location.workTree, folder)));
			} else if (look !== 'none') {
				found.set(folder, look);
			}
		}

		const unseen = [...new Set(below)].filter(folder => !listed.has(folder));
		const ignored = await ignoredIn(location, unseen);
		level = unseen.filter(folder => !ignored.has(folder));
	}

	return new Map([...found].toSorted());
};

/** What a link in its place leads to is none of ours, and one that is gone meanwhile hides nothing. */
const lookAt = async (root: string, folder: string): Promise<Closed | 'open' | 'none'> => {
	try {
		if (folder !== '') {
			const isReal = await isBelowFolders(root, folder);
			if (!isReal || !(await entryOnDisk(root, folder))?.isDirectory()) {
				return 'none';
			}
		}

		await access(diskPath(root, folder), constants.R_OK | constants.X_OK);
		return 'open';
	} catch (error) {
		return errorCode(error) === 'ENAMETOOLONG' ? 'long' : isRefusal(error) ? 'unreadable' : 'none';
	}
};

const foldersIn = async (root: string, folder: string): Promise<readonly string[]> => {
	const options = {withFileTypes: true, encoding: 'buffer'} as const;
	const entries = await readdir(diskPath(root, folder), options).catch(() => []);
	return entries
		.filter(entry => entry.isDirectory())
		.map(({name}) => decodePath(name))
		.filter(name => name !== '.git')
		.map(name => (folder === '' ? name : `${folder}/${name}`));
};
