import {mkdir, mkdtemp, readdir, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {decodePath} from '../../../lib/text/byte-path.ts';
import type {WorktreeLocation} from '../../process/sealed.ts';
import {blockerAbove, diskPath, entryOnDisk} from '../../tree/disk-path.ts';
import {ignoredIn} from '../ignored-in.ts';
import {within} from '../open-worktree.ts';

/**
Moves ignored files out of the way of paths that are to be reverted, into a new folder whose path begins as given.

To git they are expendable, and it would write over them. But no snapshot holds them, and the rule that they are ignored by may be the agent's own.
*/
export const moveIgnored = async (
	location: WorktreeLocation,
	paths: readonly string[],
	prefix: string,
): Promise<void> => {
	const found = await Promise.all(paths.map(path => inTheWayOf(location.workTree, path)));
	const ignored = await ignoredIn(location, [...new Set(found.flat())]);
	if (ignored.size === 0) {
		return;
	}

	const aside = await mkdtemp(prefix);
	for (const path of ignored) {
		await mkdir(diskPath(aside, dirname(path)), {recursive: true});
		await move(location.workTree, path, diskPath(aside, path));
	}
};

const move = async (root: string, path: string, to: Buffer): Promise<void> => {
	const steps = path.split('/');
	await within(root, steps.slice(0, -1), folder =>
		rename(diskPath(folder, steps.at(-1) ?? ''), to),
	);
};

/** What is no folder above the path, or else all that is at the path itself. */
const inTheWayOf = async (root: string, path: string): Promise<readonly string[]> => {
	const blocker = await blockerAbove(root, path);
	if (blocker !== undefined) {
		return [blocker];
	}

	const entry = await entryOnDisk(root, path);
	if (entry?.isDirectory()) {
		return filesBelow(root, path);
	}

	return entry === undefined ? [] : [path];
};

const filesBelow = async (root: string, folder: string): Promise<readonly string[]> => {
	const entries = await readdir(diskPath(root, folder), {withFileTypes: true, encoding: 'buffer'});
	const found = entries.map(async entry => {
		const path = `${folder}/${decodePath(entry.name)}`;
		return entry.isDirectory() ? filesBelow(root, path) : [path];
	});
	return (await Promise.all(found)).flat();
};
