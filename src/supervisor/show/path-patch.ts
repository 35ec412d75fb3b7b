import type {Store} from '../../git/store/store.ts';
import {type Entry, entriesBelow} from '../../git/tree/entry.ts';
import {treeOf} from '../../git/tree/graft.ts';
import {patch} from '../../git/tree/patch.ts';

/** What there is at a path, if there is anything. */
export type Held = Entry | null | undefined;

/** Returns what leads from one content of a path to another, as a unified diff for people; empty when they are the same. */
export const pathPatch = async (
	store: Store,
	path: string,
	[before, after]: readonly [Held, Held],
): Promise<string> => {
	const treeWith = (held: Held) => treeOf(store, held ? [[path, held]] : []);
	return patch(store, await treeWith(before), await treeWith(after));
};

/** Returns what leads from one commit or tree to another at these paths and below them, likewise. */
export const patchBelow = async (
	store: Store,
	[from, to]: readonly [from: string, to: string],
	paths: readonly string[],
): Promise<string> => {
	const treeIn = async (whole: string) =>
		treeOf(store, [...(await entriesBelow(store, whole, paths))]);
	return patch(store, await treeIn(from), await treeIn(to));
};
