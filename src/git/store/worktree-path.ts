import {lstatSync} from 'node:fs';
import {basename, join} from 'node:path';
import {isAbsence} from '../../lib/files/reading.ts';
import {sha256} from '../../lib/text/sha256.ts';

/**
Returns where the worktree of a folder lies: `shop-agt-001-7c2f41` for the folder of AGT-001 in a session of the repository `shop`.

Docker Compose, `npm init` and terminals name things by the last part of this path, so no other worktree on this machine has it, and it's made of what they accept. Where the folder holds a `tree`, that is its worktree: sessions of earlier versions and worktrees that were moved aside have that name.

@param before The name that earlier versions gave it.
*/
export const worktreePath = (folder: string, before = 'tree'): string => {
	const own = join(folder, worktreeName(folder));
	const plain = join(folder, before);
	return !isEntry(own) && isEntry(plain) ? plain : own;
};

/** Whether anything lies at a path, be it a link to nothing. */
export const isEntry = (path: string): boolean => {
	try {
		return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
	} catch (error) {
		// Nothing lies in what is no folder.
		if (isAbsence(error)) {
			return false;
		}

		throw error;
	}
};

/** A repository's folder is named after it, with digits; its sessions lie in there, and what has a worktree in those. */
const worktreeName = (folder: string): string => {
	const [, repository = '', inside = basename(folder)] =
		/([^/]+)-[\da-f]{12}\/(?:DEL-[^/]+\/)?(.+)$/.exec(folder) ?? [];
	return `${repository.slice(0, 24)}-${inside}-${sha256(folder).slice(0, 6)}`
		.toLowerCase()
		.replaceAll(/[^a-z\d]+/g, '-')
		.replace(/^-/, '');
};
