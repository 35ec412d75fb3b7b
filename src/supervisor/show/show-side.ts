import type {Store} from '../../git/store/store.ts';
import {type Entry, entriesBelow} from '../../git/tree/entry.ts';
import {patch, treeOf} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {firstOf, withoutStop} from '../../lib/text/words.ts';
import type {ItemOf} from '../../state/item.ts';
import {fileFolderClashIn, isBreakage, pathsOf} from '../../state/items/conflict/breakage.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {inputOf} from '../picking/select-work.ts';
import {requireSession, type Works} from '../world.ts';
import type {Preview} from './preview.ts';

/** Returns one side's changes since the merge base, at a conflict's path, or at all paths that show a breakage. */
export const showSide = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	side: 'a' | 'b',
): Promise<Shown> => {
	if (isBreakage(item)) {
		return {text: await sideAt(works, state, item[side], pathsOf(item, side))};
	}

	const clash = fileFolderClashIn(item);
	if (clash?.other === side) {
		return {text: await sideAt(works, state, item[side], [clash.path])};
	}

	const {path, stages} = item;
	const text = await pathPatch(works.store, clash?.path ?? path, [stages.base, stages[side]]);
	return stages.base === null && stages[side] === null
		? {text, remark: 'There is nothing at this path on this side.'}
		: {text};
};

/** Returns the changes of some works at these paths and below them, as a unified diff. */
export const sideAt = async (
	{store}: Works,
	state: State,
	owners: readonly string[],
	paths: readonly string[],
): Promise<string> => {
	const works = owners.flatMap(owner => workOf(state, owner));
	return (await Promise.all(works.map(work => patchBelow(store, work, paths)))).join('');
};

/** Returns the first and the last commit of a side's work. */
export const workOf = (state: State, owner: string): readonly (readonly [string, string])[] => {
	if (owner === 'target') {
		const {base, tip} = requireSession(state);
		return [[base, tip]];
	}

	const input = inputOf(state, owner);
	return input === undefined ? [] : [[input.base, input.commit]];
};

/** Entry at a path, if any. */
type Held = Entry | null | undefined;

/** Returns the difference between two contents of a path as a unified diff for people; empty if they are equal. */
const pathPatch = async (
	store: Store,
	path: string,
	[before, after]: readonly [Held, Held],
): Promise<string> => {
	const treeWith = (held: Held) => treeOf(store, held ? [[path, held]] : []);
	return patch(store, await treeWith(before), await treeWith(after));
};

/** Returns the difference between two commits or trees at these paths and below them, as a unified diff. */
export const patchBelow = async (
	store: Store,
	[from, to]: readonly [from: string, to: string],
	paths: readonly string[],
): Promise<string> => {
	const treeIn = async (whole: string) =>
		treeOf(store, [...(await entriesBelow(store, whole, paths))]);
	return patch(store, await treeIn(from), await treeIn(to));
};

/**
Returns an open conflict.

@throws `Failure` of kind `refused` when there is none with that id
*/
export const conflictOf = (state: State, id: string): ItemOf<'conflict'> => {
	const item = itemOf(state, id);
	if (item?.kind !== 'conflict') {
		throw new Failure(
			'refused',
			`There is no conflict ${id}; it was decided, or its cause is gone.`,
		);
	}

	return item;
};

/** Maximum number of paths in a message; the others are counted. */
const namedPaths = 5;

export const namePaths = (message: string, paths: readonly string[]): string =>
	paths.length === 0 ? message : `${withoutStop(message)}: ${firstOf(paths, namedPaths)}`;

/** The full requested text, with a remark for the reader. */
export type Shown = {
	readonly text: string;
	readonly remark?: string;
	readonly preview?: Preview;
};
