import {joinNul} from '../../process/nul.ts';
import {lineOf} from '../../process/result.ts';
import {sealed} from '../../process/sealed.ts';
import {user} from '../../process/user.ts';
import type {Store} from '../../store/store.ts';
import {type Change, changes, newOf} from '../../tree/changes.ts';
import {type Entry, isSameEntry} from '../../tree/entry.ts';
import type {BegunMove} from '../begun-move.ts';
import {type Indexing, readIndex} from './find-move-progress.ts';

/** A path of a move that a person has taken over, as the move makes it and as the person has it. */
type Theirs = {
	readonly path: string;
	readonly moved: Entry | undefined;
	readonly now: Entry | undefined;
};

/** The changes of a move, in those that are still its own and those that are the person's by now. */
export type Parts = {readonly ours: readonly Change[]; readonly theirs: readonly Theirs[]};

/** Divides the changes of a move that was cut off: where HEAD is another than before and the index says the same, a person has committed, reset or switched since. */
export const partsOf = async (
	store: Store,
	indexing: Indexing,
	{from, to, head}: BegunMove & {readonly head: string | undefined},
): Promise<Parts> => {
	const index = await readIndex(indexing);
	const since = await changes(store, from, head ?? (await emptyTree(store)));
	const now = new Map(
		since
			.filter(change => isSameEntry(index.get(change.path), newOf(change)))
			.map(change => [change.path, newOf(change)]),
	);
	const all = await changes(store, from, to);
	return {
		ours: all.filter(({path}) => !now.has(path)),
		theirs: all
			.filter(({path}) => now.has(path))
			.map(change => ({path: change.path, moved: newOf(change), now: now.get(change.path)})),
	};
};

const emptyTree = async (store: Store): Promise<string> =>
	lineOf(await sealed(store, ['hash-object', '-t', 'tree', '--stdin'], {input: ''}));

/** Takes a move out of an index that has all of it but what is the person's, which stays; git itself knows what a sparse checkout leaves out. */
export const unstage = async (
	indexing: Indexing,
	{from, to}: Pick<BegunMove, 'from' | 'to'>,
	theirs: readonly Theirs[],
): Promise<void> => {
	const {root, index} = indexing;
	await setEntries(indexing, to, theirs, 'moved');
	await user(root, ['read-tree', '-i', '-m', to, from], {index});
	await setEntries(indexing, to, theirs, 'now');
};

const setEntries = async (
	{root, index}: Indexing,
	{length}: string,
	theirs: readonly Theirs[],
	side: 'moved' | 'now',
): Promise<void> => {
	const lines = theirs.map(({path, [side]: entry}) =>
		entry === undefined
			? `0 ${'0'.repeat(length)}\t${path}`
			: `${entry.mode} ${entry.oid}\t${path}`,
	);
	if (lines.length > 0) {
		await user(root, ['update-index', '-z', '--index-info'], {index, input: joinNul(lines)});
	}
};
