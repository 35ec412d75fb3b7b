import {lstatSync} from 'node:fs';
import {basename, join} from 'node:path';
import {isAbsence} from '../../lib/files/reading.ts';
import {sha256} from '../../lib/text/sha256.ts';

/**
Returns the path of a folder's worktree: `shop-agt-001-7c2f41` for the folder of AGT-001 in a session of the repository `shop`.

Docker Compose, `npm init` and terminals derive names from the last part of this path, so it is unique on this machine and has only characters that they accept. If the folder contains `tree`, that is its worktree: sessions of earlier versions and worktrees that were moved aside have that name.

@param before The name in earlier versions.
*/
export const worktreePath = (folder: string, before = 'tree'): string => {
	const own = join(folder, worktreeName(folder));
	const plain = join(folder, before);
	return !isEntry(own) && isEntry(plain) ? plain : own;
};

/** Returns whether a path exists, even as a dangling link. */
export const isEntry = (path: string): boolean => {
	try {
		return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
	} catch (error) {
		// A path below a file doesn't exist.
		if (isAbsence(error)) {
			return false;
		}

		throw error;
	}
};

/** Returns a unique name, based on the folder of the repository, which is named after it with digits and contains its sessions and their agents. */
const worktreeName = (folder: string): string => {
	const [, repository = '', inside = basename(folder)] =
		/([^/]+)-[\da-f]{12}\/(?:DEL-[^/]+\/)?(.+)$/.exec(folder) ?? [];
	return `${repository.slice(0, 24)}-${inside}-${sha256(folder).slice(0, 6)}`
		.toLowerCase()
		.replaceAll(/[^a-z\d]+/g, '-')
		.replace(/^-/, '');
};
