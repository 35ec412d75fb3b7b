import {mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {ifThere} from '../../lib/files/if-there.ts';
import {isThere} from '../../lib/files/is-there.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Store} from '../store/store.ts';

/**
Lends a git folder for a checkout with a HEAD of its own, detached at a commit; it is removed afterwards.

It is like that of a linked worktree, so a command that moves HEAD moves this one, and the checkout's files. Nothing for it where the repository doesn't keep its refs in files.
*/
export const withOwnHead = async <Result>(
	store: Store,
	{gitDir}: Checkout,
	commit: string,
	use: (gitDir: string | undefined) => Promise<Result>,
): Promise<Result> => {
	const commonDir = await commonDirOf(gitDir);
	if (await isThere(join(commonDir, 'reftable'))) {
		return use(undefined);
	}

	const own = await mkdtemp(join(store.gitDir, 'head-'));
	try {
		await writeFile(join(own, 'HEAD'), `${commit}\n`);
		await writeFile(join(own, 'commondir'), `${commonDir}\n`);
		for (const path of await ownFiles(gitDir)) {
			await mkdir(dirname(join(own, path)), {recursive: true});
			await symlink(join(gitDir, path), join(own, path));
		}

		return await use(own);
	} finally {
		await rm(own, {recursive: true, force: true});
	}
};

const commonDirOf = async (gitDir: string): Promise<string> => {
	const named = await ifThere(readFile(join(gitDir, 'commondir'), 'utf8'));
	return named === undefined ? gitDir : resolve(gitDir, named.trimEnd());
};

/** What a checkout has for itself and git needs to move its files: its settings, what it leaves out, and the rest of an index in parts. */
const ownFiles = async (gitDir: string): Promise<readonly string[]> => {
	const names = await readdir(gitDir);
	const parts = names.filter(name => name.startsWith('sharedindex.'));
	const maybe = ['config.worktree', 'info/sparse-checkout'];
	const there = await Promise.all(maybe.map(path => isThere(join(gitDir, path))));
	return [...parts, ...maybe.filter((_, position) => there[position])];
};
