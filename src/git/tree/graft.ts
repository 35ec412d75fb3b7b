import {dirname} from 'node:path';
import {putEntries, removeEntries, withTemporaryIndex} from '../index-entries.ts';
import {recall} from '../process/recall.ts';
import {lineOf} from '../process/result.ts';
import {sealed, type WorktreeLocation} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';
import {type Change, diffTree, newOf, oldOf, sideOf} from './changes.ts';
import type {Entry} from './entry.ts';

/** Writes a tree that is `onto` with changes applied, by replacing entries; nothing is merged. Paths that aren't named stay as in `onto`, so a path outside a scope stays out by construction. */
export const graft = (
	store: Store,
	{onto, changes}: {readonly onto: string; readonly changes: readonly Change[]},
): Promise<string> => {
	const removed = changes.filter(({status}) => status === 'D').map(({path}) => path);
	const put = sideOf(changes, newOf);
	return treeFrom(store, ['graft', onto, removed, put], async location => {
		await sealed(location, ['read-tree', onto]);
		// Removals first: a removed `a/b` must not take the new file `a` with it.
		await removeEntries(location, removed);
		await putEntries(location, put);
	});
};

/** Writes a tree of exactly these entries. */
export const treeOf = (
	store: Store,
	entries: readonly (readonly [path: string, entry: Entry])[],
): Promise<string> => treeFrom(store, ['tree', entries], location => putEntries(location, entries));

const treeFrom = async (
	store: Store,
	parts: readonly unknown[],
	fill: (location: WorktreeLocation) => Promise<void>,
): Promise<string> =>
	lineOf(
		await recall([store, ...parts], () =>
			withTemporaryIndex(store, async index => {
				const location = {...store, index, workTree: dirname(index)};
				await fill(location);
				return sealed(location, ['write-tree']);
			}),
		),
	);

export type Between = {readonly before: string; readonly after: string};

/** Writes two trees with only the changed paths, before and after. */
export const treesOf = async (store: Store, changes: readonly Change[]): Promise<Between> => ({
	before: await treeOf(store, sideOf(changes, oldOf)),
	after: await treeOf(store, sideOf(changes, newOf)),
});

/** Returns a unified diff for people, with a diffstat above it. */
export const patch = async (store: Store, from: string, to: string): Promise<string> =>
	text(diffTree(store, ['-M', '--patch', '--stat', from, to]));

/** Returns a unified diff for people; `context` replaces the default of three lines around each change. */
export const plainPatch = async (
	store: Store,
	from: string,
	to: string,
	{context = 3}: {readonly context?: number} = {},
): Promise<string> =>
	text(
		diffTree(store, [
			'-M',
			'--patch',
			`--unified=${context}`,
			'--ignore-submodules=none',
			from,
			to,
		]),
	);

/** Returns a binary diff that git can apply. */
export const rawPatch = (store: Store, from: string, to: string): Promise<Buffer> =>
	diffTree(store, ['-M', '--patch', '--binary', from, to]);

/** Returns the same with a rename as a removal and an addition, so that each path is separate. */
export const rawPatchByPath = (store: Store, from: string, to: string): Promise<Buffer> =>
	diffTree(store, ['--no-renames', '--ignore-submodules=none', '--patch', '--binary', from, to]);

const text = async (bytes: Promise<Buffer>): Promise<string> => (await bytes).toString('utf8');
