import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {within, withWorktree} from '../../git/worktree/open-worktree.ts';
import {unlessThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';

const folder = '.delegate';

/** Writes a file for an agent into the folder of its worktree that is never merged; returns its relative path, or `undefined` if the agent has put something else in its place. */
export const writePrivate = async (
	tree: string,
	name: string,
	text: string,
): Promise<string | undefined> => {
	try {
		await withWorktree(tree, async root => {
			await mkdir(join(root, folder)).catch(unlessThere);
			await within(root, [folder], inside => writeAtomically(join(inside, name), `${text}\n`));
		});
		return `${folder}/${name}`;
	} catch {
		return undefined;
	}
};
