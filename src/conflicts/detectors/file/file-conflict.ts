import type {MergeConflict} from '../../../git/merge/merge-tree.ts';
import type {Change} from '../../../git/tree/changes.ts';
import {type Entry, submoduleMode, symlinkMode} from '../../../git/tree/entry.ts';
import type {Comparison, FileConflictKind} from '../../finding.ts';

/** An entry of one of the three trees, with its path there. */
export type Placed = {readonly path: string; readonly entry: Entry};

/** A conflict of git with facts about each side; a side without an entry is absent. */
export type FileConflict = {
	/** Name that git reports. */
	readonly path: string;
	readonly kind: FileConflictKind;
	readonly base?: Placed;
	readonly a?: Placed;
	readonly b?: Placed;
};

/** Finds the files of git's conflicts. A rename gives a file another path on each side, and git reports each path by itself. */
export const fileConflicts = (comparison: Comparison): readonly FileConflict[] => {
	const {merge} = comparison;
	return merge.clean
		? []
		: merge.conflicts.map(conflict => {
				const together = merge.conflicts.filter(({path}) => conflict.paths.includes(path));
				return locate(comparison, conflict, together);
			});
};

const locate = (
	{a, b}: Comparison,
	conflict: MergeConflict,
	together: readonly MergeConflict[],
): FileConflict => {
	const {path} = conflict;
	const kind = kindOf(conflict, together);
	const one = (side: 'base' | 'ours' | 'theirs'): Entry | undefined =>
		conflict[side] ??
		(isDeletion(kind) ? undefined : together.find(other => other[side] !== undefined)?.[side]);
	const base = one('base');
	const placedBase = base && {path: oldPath([...a.changes, ...b.changes], path, base), entry: base};
	const placed = (changes: readonly Change[], entry: Entry | undefined): Placed | undefined =>
		entry === undefined
			? below(changes, kind, conflict.paths)
			: {path: newPath(changes, entry, path, placedBase), entry};
	const [placedA, placedB] = [placed(a.changes, one('ours')), placed(b.changes, one('theirs'))];
	return {
		path,
		kind,
		...(placedBase && {base: placedBase}),
		...(placedA && {a: placedA}),
		...(placedB && {b: placedB}),
	};
};

/** Returns whether an absent side means that it deleted the file, which is so only for these kinds. */
const isDeletion = (kind: FileConflictKind): boolean =>
	kind === 'modify/delete' || kind === 'rename/delete' || kind === 'file/directory';

const oldPath = (changes: readonly Change[], path: string, {oid}: Entry): string => {
	const old = changes.flatMap(change =>
		change.status !== 'A' && change.old.oid === oid ? [change.path] : [],
	);
	return old.includes(path) ? path : (old[0] ?? path);
};

/** Returns the path of a side's entry: where it moved it, or otherwise the base's path. */
const newPath = (
	changes: readonly Change[],
	{oid}: Entry,
	path: string,
	base: Placed | undefined,
): string => {
	const put = changes.flatMap(change =>
		change.status !== 'D' && change.new.oid === oid ? [change.path] : [],
	);
	return put.includes(path) ? path : (put[0] ?? base?.path ?? path);
};

/** Returns an entry of the folder that is in the place of the other side's file. */
const below = (
	changes: readonly Change[],
	kind: FileConflictKind,
	paths: readonly string[],
): Placed | undefined => {
	const inside =
		kind === 'file/directory'
			? changes.find(
					change => change.status !== 'D' && paths.some(path => change.path.startsWith(`${path}/`)),
				)
			: undefined;
	return inside === undefined || inside.status === 'D'
		? undefined
		: {path: inside.path, entry: inside.new};
};

/** Returns the kind of a conflict at a path that git can't merge. */
const kindOf = (conflict: MergeConflict, together: readonly MergeConflict[]): FileConflictKind => {
	const entries = together.flatMap(({base, ours, theirs}) => [base, ours, theirs]);
	const has = (mode: string) => entries.some(entry => entry?.mode === mode);
	if (has(submoduleMode)) {
		return 'submodule';
	}

	const said = kindsOfGit.find(([word]) => conflict.kinds.some(kind => kind.startsWith(word)));
	if (said !== undefined) {
		return said[1];
	}

	if (has(symlinkMode)) {
		return 'symlink';
	}

	const {base, ours, theirs} = conflict;
	if (ours && theirs && ours.oid === theirs.oid) {
		return 'mode';
	}

	if (conflict.kinds.includes('binary')) {
		return 'binary';
	}

	if (ours && theirs) {
		return base ? 'content' : 'add/add';
	}

	return 'modify/delete';
};

/** Kinds that git reports and the entries alone don't show. */
const kindsOfGit: readonly (readonly [string, FileConflictKind])[] = [
	['rename/rename', 'rename/rename'],
	['rename involved in collision', 'rename/rename'],
	['rename/delete', 'rename/delete'],
	['directory rename', 'directory rename'],
	['file/directory', 'file/directory'],
	['modify/delete', 'modify/delete'],
];
