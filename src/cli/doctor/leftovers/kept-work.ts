import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {isThere} from '../../../lib/files/is-there.ts';
import type {SessionFolder} from '../../../supervisor/folder.ts';

/** A folder in which work of a session lies, and whose it is. */
export type KeptWork = {readonly of: string; readonly path: string};

/** Returns where the work of a session lies. The disk is asked, because a damaged journal may not know of all of it. */
export const keptWork = async ({
	path,
	agent,
	resolution,
}: SessionFolder): Promise<readonly KeptWork[]> => {
	const [names, conflicts] = await Promise.all([namesIn(path), namesIn(join(path, 'resolutions'))]);
	const trees = names.map(name => ({of: name, path: agent(name).tree}));
	const there = await Promise.all(trees.map(tree => isThere(tree.path)));
	return [
		...trees.filter((_, index) => there[index]),
		...conflicts.map(name => ({of: `resolution of ${name}`, path: resolution(name)})),
	];
};

const namesIn = async (folder: string): Promise<readonly string[]> =>
	(await readdir(folder).catch(() => [])).toSorted();
