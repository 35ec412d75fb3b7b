import {type Change, newOf, oldOf} from '../../tree/changes.ts';
import {type Entry, isSameEntry, submoduleMode} from '../../tree/entry.ts';

/**
What a move that was cut off has left in a checkout.

Git writes each file, then the index in one rename; `recover.ts` shows where a kill can fall, and what is done then.

- `before`: nothing, or not yet anything
- `half`: files are new or half-written while the index is still the old one; `restore` lists what the index has, `remove` what it doesn't
- `after`: files and index are as the move makes them
- `foreign`: those paths are neither as before nor as after, so a person had their hands in it
*/
export type MoveProgress =
	| {readonly kind: 'before'}
	| {readonly kind: 'half'; readonly restore: readonly string[]; readonly remove: readonly string[]}
	| {readonly kind: 'after'}
	| {readonly kind: 'foreign'; readonly paths: readonly string[]};

/** What an index holds at a path; `isSkipped` where a sparse checkout leaves the file out. */
export type Indexed = Entry & {readonly isSkipped: boolean};

/**
What lies at a path: one side of its change, the start of one, something else, or nothing.

`untouched` is whatever was there before the move began.
*/
export type Content = 'untouched' | 'absent' | 'old' | 'new' | 'half' | 'foreign';

/** A change of the move, and what lies at its path. */
export type Found = {readonly change: Change; readonly content: Content};

/** Either what the index alone tells, or the changes whose files have to be looked at. */
export type IndexVerdict =
	| Extract<MoveProgress, {kind: 'after' | 'foreign'}>
	| {readonly kind: 'old-index'; readonly changes: readonly Change[]};

/** Judges by the index, which git writes in one go after all files. */
export const judgeIndex = (
	changes: readonly Change[],
	index: ReadonlyMap<string, Indexed>,
): IndexVerdict => {
	const holds = (path: string, entry: Entry | undefined) => isSameEntry(index.get(path), entry);
	if (changes.length > 0 && changes.every(change => holds(change.path, newOf(change)))) {
		return {kind: 'after'};
	}

	const strange = changes.filter(change => !holds(change.path, oldOf(change)));
	return strange.length > 0
		? {kind: 'foreign', paths: strange.map(({path}) => path)}
		: {kind: 'old-index', changes: changes.filter(change => isWritten(change, index))};
};

/** Whatever a submodule's folder holds, a move of ours doesn't touch it. */
const isWritten = (change: Change, index: ReadonlyMap<string, Indexed>): boolean =>
	!index.get(change.path)?.isSkipped &&
	![oldOf(change)?.mode, newOf(change)?.mode].includes(submoduleMode);

/** Judges by the files, whose index is still the old one. */
export const judgeFiles = (found: readonly Found[]): MoveProgress => {
	const foreign = found.filter(({content}) => content === 'foreign');
	if (foreign.length > 0) {
		return {kind: 'foreign', paths: pathsOf(foreign)};
	}

	const isBegun = ({content}: Found) => content === 'new' || content === 'half';
	const isMissed = (one: Found) => one.content === 'absent' || isBegun(one);
	const remove = pathsOf(found.filter(one => one.change.status === 'A' && isBegun(one)));
	const restore = pathsOf(found.filter(one => one.change.status !== 'A' && isMissed(one)));
	return restore.length + remove.length === 0 ? {kind: 'before'} : {kind: 'half', restore, remove};
};

const pathsOf = (found: readonly Found[]): readonly string[] =>
	found.map(({change}) => change.path);
