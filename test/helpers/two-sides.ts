import {join} from 'node:path';
import {mergeCommits} from '../../src/git/merge/merge-tree.ts';
import {openRepository} from '../../src/git/repository/repository.ts';
import {openStore} from '../../src/git/store/store.ts';
import {commitAll, type Files, git, makeRepository, temporaryFolder, write} from './repository.ts';

/** What a base holds, and what each of two sides writes on it. */
export type Sides = {readonly base: Files; readonly a: Files; readonly b: Files};

/** Commits two sides on one base, and merges them in a store of their own. */
export const twoSides = async ({base, a, b}: Sides) => {
	const root = makeRepository(base);
	const start = git(root, 'rev-parse', 'HEAD');
	const commit = (files: Files): string => {
		git(root, 'checkout', '--quiet', '--detach', start);
		write(root, files);
		return commitAll(root);
	};
	const commits = {base: start, a: commit(a), b: commit(b)};
	const store = await openStore(join(temporaryFolder(), 'store.git'), await openRepository(root));
	return {store, ...commits, merge: await mergeCommits(store, commits.a, commits.b)};
};
