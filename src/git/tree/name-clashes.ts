import {foldersAbove} from './disk-path.ts';

/** Names of a tree that are one and the same where case, or the way of writing an accent, makes no difference. */
export type Clash = readonly [string, string];

/**
Returns the paths that stand for one file on a file system that folds names, as those of macOS do, each beside the path that it clashes with.

Two folders that differ so are no clash: what is in them comes together.

@param paths all files of a tree
@param added those to be looked at
*/
export const nameClashes = (
	paths: Iterable<string>,
	added: readonly string[],
): readonly Clash[] => {
	const wanted = new Map(added.map(path => [folded(path), path]));
	const folders = new Map(
		added.flatMap(path => foldersAbove(path).map(folder => [folded(folder), path])),
	);
	const clashes = new Map<string, Clash>();
	const add = (one: string, other: string | undefined): void => {
		if (other !== undefined && other !== one && !other.startsWith(`${one}/`)) {
			const clash: Clash = one < other ? [one, other] : [other, one];
			clashes.set(clash.join('\0'), clash);
		}
	};

	for (const path of paths) {
		const name = folded(path);
		add(path, wanted.get(name) ?? folders.get(name));
		for (const folder of foldersAbove(path)) {
			add(path, wanted.get(folded(folder)));
		}
	}

	return [...clashes.values()];
};

const folded = (name: string): string => name.normalize('NFC').toLowerCase();
