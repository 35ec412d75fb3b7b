import {mkdir, readFile, realpath, rename, writeFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {linkedFolder, linkOf} from '../../store/linked-tree.ts';
import {entryOnDisk} from '../../tree/disk-path.ts';
import {withWorktree} from '../open-worktree.ts';

/** What had become of a `.git`; with `trouble`, it was moved aside and none stands in its place yet. */
export type Relinked = {readonly change: 'modified' | 'deleted'; readonly trouble?: unknown};

/**
Brings a worktree's `.git` back that leads to its repository no more, and returns what had become of it.

Nothing of ours goes by it, but the agent's own git does. What stands in its place, maybe a repository with work in it, is moved aside. Where there is no such repository any more there is nothing to lead to.
*/
export const relink = (
	tree: string,
	{hub, aside}: {readonly hub: string; readonly aside: string},
): Promise<Relinked | undefined> =>
	withWorktree(tree, async root => {
		const goal = await realpath(linkedFolder(hub)).catch(() => undefined);
		if (goal === undefined || (await goalOf(root, tree)) === goal) {
			return undefined;
		}

		if ((await entryOnDisk(root, '.git')) === undefined) {
			await makeLink(root, hub);
			return {change: 'deleted'};
		}

		await mkdir(dirname(aside), {recursive: true});
		await rename(join(root, '.git'), aside);
		try {
			await makeLink(root, hub);
			return {change: 'modified'};
		} catch (trouble) {
			return {change: 'modified', trouble};
		}
	});

const makeLink = (root: string, hub: string): Promise<void> =>
	writeFile(join(root, '.git'), linkOf(hub), {flag: 'wx'});

/** Where the worktree's `.git` leads, if it is the kind of file that it was made as. */
const goalOf = async (root: string, tree: string): Promise<string | undefined> => {
	const entry = await entryOnDisk(root, '.git');
	if (!entry?.isFile() || entry.size > mostBytes) {
		return undefined;
	}

	const text = await readFile(join(root, '.git'), 'utf8').catch(() => '');
	const [, path] = /^gitdir: (.+)\n$/.exec(text) ?? [];
	return path === undefined ? undefined : realpath(resolve(tree, path)).catch(() => undefined);
};

/** More than any path. */
const mostBytes = 10_000;
