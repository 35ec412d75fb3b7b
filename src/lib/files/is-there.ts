import {stat} from 'node:fs/promises';

/** Returns whether a path leads to something; one that can't be looked at counts as not there. */
export const isThere = (path: string): Promise<boolean> =>
	stat(path).then(
		() => true,
		() => false,
	);
