import {foldersAbove} from './disk-path.ts';

/** Two paths that are the same on a case-insensitive or accent-folding file system. */
export type Clash = readonly [string, string];

/** Returns the clashes of added paths with all paths of a tree. Two folders that differ only so don't clash: their content is merged. */
export const nameClashes = (
	paths: Iterable<string>,
	added: readonly string[],
): readonly Clash[] => {
	const wanted = new Map(added.map(path => [foldedName(path), path]));
	const folders = new Map(
		added.flatMap(path => foldersAbove(path).map(folder => [foldedName(folder), path])),
	);
	const clashes = new Map<string, Clash>();
	const add = (one: string, other: string | undefined): void => {
		if (other !== undefined && other !== one && !other.startsWith(`${one}/`)) {
			const clash: Clash = one < other ? [one, other] : [other, one];
			clashes.set(clash.join('\0'), clash);
		}
	};

	for (const path of paths) {
		const name = foldedName(path);
		add(path, wanted.get(name) ?? folders.get(name));
		for (const folder of foldersAbove(path)) {
			add(path, wanted.get(foldedName(folder)));
		}
	}

	return [...clashes.values()];
};

/** Returns a name that is the same for all names of one file where case and the spelling of accents make no difference. */
export const foldedName = (name: string): string => name.normalize('NFC').toLowerCase();
