import {posix} from 'node:path';

/** Returns what finds a file of a tree by what an output calls it: by its path, by a path that leads to the tree, or from a folder of it. */
export const makeFinder = (paths: Iterable<string>): ((name: string) => string | undefined) => {
	const all = new Set(paths);
	const byName = new Map<string, string[]>();
	for (const path of all) {
		const name = posix.basename(path);
		byName.set(name, [...(byName.get(name) ?? []), path]);
	}

	return name => {
		const path = posix.normalize(name.replace(/^file:\/\//, '')).replace(/^\//, '');
		if (all.has(path)) {
			return path;
		}

		const [one, ...others] = (byName.get(posix.basename(path)) ?? []).filter(
			known => known.endsWith(`/${path}`) || path.endsWith(`/${known}`),
		);
		return others.length === 0 ? one : undefined;
	};
};
