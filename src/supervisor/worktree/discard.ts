import {mkdir, mkdtemp, rename, rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {entryOnDisk} from '../../git/tree/disk-path.ts';
import type {AgentFolder} from '../folder.ts';

/**
Clears the place of a worktree that we made ourselves and that nobody has worked in.

A folder that can't be removed, for `setup` may have made it read-only, can be moved all the same: it stays in `discarded` then, and is in nobody's way.
*/
export const discard = async (folder: AgentFolder): Promise<void> => {
	const discarded = join(folder.path, 'discarded');
	await mkdir(discarded, {recursive: true});
	await moveInto(folder, await mkdtemp(join(discarded, 'try-')));
	await rm(discarded, {recursive: true, force: true}).catch(() => {});
};

/** Moves a worktree away with its hub and its index, as far as they are there. */
export const moveInto = async (
	{path, tree, hub, index}: AgentFolder,
	destination: string,
): Promise<void> => {
	for (const part of [tree, hub, index]) {
		const name = basename(part);
		if ((await entryOnDisk(path, name)) !== undefined) {
			await rename(part, join(destination, name));
		}
	}
};
