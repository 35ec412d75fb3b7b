import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../../lib/files/if-there.ts';
import {type Checkout, gitDirOf, worktrees} from '../../repository/checkouts.ts';
import type {Repository} from '../../repository/repository.ts';

/** Finds a checkout by its git folder, as seen from the common one, wherever its files lie now; `gone` where git has one of them but not the files, and nothing where it has none. */
export const findCheckout = async (
	repository: Repository,
	gitDir: string,
): Promise<Checkout | 'gone' | undefined> => {
	const {commonDir} = repository;
	const sought = await ifThere(realpath(join(commonDir, gitDir)));
	if (sought === undefined) {
		return undefined;
	}

	for (const {root, isBare} of await worktrees(repository)) {
		const found =
			isBare || root === commonDir
				? undefined
				: await gitDirOf(root)
						.then(path => realpath(path))
						.catch(() => undefined);
		if (found === sought) {
			return {root, gitDir: join(commonDir, gitDir)};
		}
	}

	return 'gone';
};
