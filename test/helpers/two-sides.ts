import {join} from 'node:path';
import {mergeCommits} from '../../src/git/merge/merge-tree.ts';
import {openRepository} from '../../src/git/repository/repository.ts';
import {openStore} from '../../src/git/store/store.ts';
import {commitAll, type Files, git, makeRepository, temporaryFolder, write} from './repository.ts';

/** Files that a side writes, or a function that changes the checkout. */
export type Edit = Files | ((root: string) => void);

/** Files of a base, and the changes of two sides to it. */
export type Sides = {readonly base: Files; readonly a: Edit; readonly b: Edit};

/** Commits two sides on one base, and merges them in their own store. */
export const twoSides = async ({base, a, b}: Sides) => {
	const root = makeRepository(base);
	const start = git(root, 'rev-parse', 'HEAD');
	const commit = (edit: Edit): string => {
		git(root, 'checkout', '--quiet', '--detach', start);
		if (typeof edit === 'function') {
			edit(root);
		} else {
			write(root, edit);
		}

		return commitAll(root);
	};
	const commits = {base: start, a: commit(a), b: commit(b)};
	const store = await openStore(join(temporaryFolder(), 'store.git'), await openRepository(root));
	return {store, root, ...commits, merge: await mergeCommits(store, commits.a, commits.b)};
};
