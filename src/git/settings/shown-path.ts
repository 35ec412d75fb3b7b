import {homedir} from 'node:os';
import type {Repository} from '../repository.ts';

/** Returns a path as people know it: `.git/config` for what is the repository's, `~/.gitconfig` for what is the person's. */
export const shownPath = ({commonDir}: Repository, path: string): string => {
	if (path.startsWith(`${commonDir}/`)) {
		return `.git${path.slice(commonDir.length)}`;
	}

	const home = homedir();
	return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
};
