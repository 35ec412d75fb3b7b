import {readlink, realpath} from 'node:fs/promises';
import {basename, dirname, join, resolve, sep} from 'node:path';

/** More links than this in a row lead nowhere. */
const maximumLinks = 40;

/**
Returns where a path leads: links on the way are followed, also one whose goal is not there yet; what is not there is kept.
*/
export const resolveLinks = async (path: string, links = 0): Promise<string> => {
	const real = await realpath(path).catch(() => undefined);
	const above = dirname(path);
	if (real !== undefined || above === path) {
		return real ?? path;
	}

	const folder = await resolveLinks(above, links);
	const goal = links < maximumLinks ? await readlink(path).catch(() => undefined) : undefined;
	return goal === undefined
		? join(folder, basename(path))
		: resolveLinks(resolve(folder, goal), links + 1);
};

/** Returns whether a relative path leads below the folder that it starts from. */
export const isBelow = (path: string): boolean =>
	path !== '' && path !== '..' && !path.startsWith(`..${sep}`);
