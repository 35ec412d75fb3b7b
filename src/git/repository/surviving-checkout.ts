import {isThere} from '../../lib/files/is-there.ts';
import {entryOnDisk} from '../tree/disk-path.ts';
import {gitDirOf, worktrees} from './checkouts.ts';
import type {Repository} from './repository.ts';

/**
Returns the repository as seen from a checkout that is still there: the one that it was opened in, else another.

A linked worktree may be removed while a session that was started in it goes on; its branch is none of what is removed. Where no checkout is left at all, the git folder stands in for one. Of a repository that is gone nothing better is known than what was.
*/
export const survivingCheckout = async (repository: Repository): Promise<Repository> => {
	const {root, gitDir, commonDir} = repository;
	if ((await holdsCheckout(root)) && (await isThere(gitDir))) {
		return repository;
	}

	if (!(await isThere(commonDir))) {
		return repository;
	}

	for (const other of await worktrees(repository)) {
		const gitDir =
			!other.isBare && (await holdsCheckout(other.root))
				? await gitDirOf(other.root).catch(() => undefined)
				: undefined;
		if (gitDir !== undefined) {
			return {...repository, root: other.root, gitDir};
		}
	}

	return {...repository, root: commonDir, gitDir: commonDir};
};

const holdsCheckout = async (root: string): Promise<boolean> =>
	(await entryOnDisk(root, '.git')) !== undefined;
