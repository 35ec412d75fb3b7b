import {mkdir, readdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {isThere} from '../../lib/files/is-there.ts';
import type {Repository} from '../repository/repository.ts';
import {folderOf} from './begun-move.ts';

/**
Makes the folder of a begun move a git folder for a checkout with a HEAD of its own, detached at a commit.

It is like that of a linked worktree, so a command that moves HEAD moves this one, and the checkout's files. There is none where the repository doesn't keep its refs in files.
*/
export const makeOwnHead = async (
	repository: Repository,
	gitDir: string,
	commit: string,
): Promise<void> => {
	const {commonDir} = repository;
	const folder = folderOf(repository);
	if (await isThere(join(commonDir, 'reftable'))) {
		return;
	}

	await writeFile(join(folder, 'HEAD'), `${commit}\n`);
	await writeFile(join(folder, 'commondir'), `${commonDir}\n`);
	for (const path of await ownFiles(gitDir, folder)) {
		await mkdir(dirname(join(folder, path)), {recursive: true});
		await symlink(join(gitDir, path), join(folder, path));
	}
};

/** What a checkout has for itself and git needs to move its files: its settings, what it leaves out, the rest of an index in parts, and the folders that filters keep there. */
const ownFiles = async (gitDir: string, folder: string): Promise<readonly string[]> => {
	const entries = await readdir(gitDir, {withFileTypes: true});
	const linked = entries.filter(
		entry =>
			entry.name.startsWith('sharedindex.') ||
			(entry.isDirectory() &&
				!commonFolders.includes(entry.name) &&
				join(gitDir, entry.name) !== folder),
	);
	const maybe = ['config.worktree', 'info/sparse-checkout'];
	const there = await Promise.all(maybe.map(path => isThere(join(gitDir, path))));
	return [...linked.map(({name}) => name), ...maybe.filter((_, position) => there[position])];
};

/** Git itself looks for these where all checkouts have theirs; a log of a HEAD that is lent is nobody's. */
const commonFolders = ['objects', 'refs', 'logs', 'info', 'hooks', 'branches', 'worktrees'];
