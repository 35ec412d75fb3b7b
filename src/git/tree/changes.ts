import {recalled} from '../process/recall.ts';
import {splitNul} from '../process/result.ts';
import type {SealedOptions} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';
import type {Entry} from './entry.ts';

/**
A path that differs between two trees.

A type change (`T`) turns a file into a link or a submodule, or back. A rename is a deletion and an addition: as a single change it would hide one of its paths from the scope.
*/
export type Change =
	| {readonly status: 'A'; readonly path: string; readonly new: Entry}
	| {readonly status: 'D'; readonly path: string; readonly old: Entry}
	| {readonly status: 'M' | 'T'; readonly path: string; readonly old: Entry; readonly new: Entry};

/** Returns the changes between two trees (or commits), by path. */
export const changes = async (store: Store, from: string, to: string): Promise<Change[]> =>
	from === to ? [] : changesIn(store, [from, to]);

/** Returns them together with the changed folders. */
export const changesWithFolders = (store: Store, from: string, to: string): Promise<Change[]> =>
	changesIn(store, ['-t', from, to]);

const changesIn = async (store: Store, words: readonly string[]): Promise<Change[]> => {
	const options = ['-z', '--no-renames', '--ignore-submodules=none'];
	const fields = splitNul(await diffTree(store, [...options, ...words]));
	const found: Change[] = [];
	for (let position = 0; position + 1 < fields.length; position += 2) {
		const [head = '', path = ''] = fields.slice(position, position + 2);
		found.push(parse(head, path));
	}

	return found;
};

/** Compares two trees (or commits) by `git diff-tree`, without programs that settings name. */
export const diffTree = async (
	store: Store,
	words: readonly string[],
	options?: Pick<SealedOptions, 'signal'>,
): Promise<Buffer> => {
	const args = ['diff-tree', '-r', '--no-ext-diff', '--no-textconv', ...words];
	return (await recalled(store, args, options)).stdout;
};

export const oldOf = (change: Change): Entry | undefined =>
	change.status === 'A' ? undefined : change.old;

export const newOf = (change: Change): Entry | undefined =>
	change.status === 'D' ? undefined : change.new;

export const entriesOfChange = (
	change: Change,
): readonly [before: Entry | undefined, after: Entry | undefined] => [oldOf(change), newOf(change)];

/** Returns one side of changes, by path. */
export const sideOf = (
	changes: readonly Change[],
	side: typeof oldOf | typeof newOf,
): readonly (readonly [path: string, entry: Entry])[] =>
	changes.flatMap(change => {
		const entry = side(change);
		return entry === undefined ? [] : [[change.path, entry] as const];
	});

export const inverse = (change: Change): Change => {
	switch (change.status) {
		case 'A':
			return {status: 'D', path: change.path, old: change.new};
		case 'D':
			return {status: 'A', path: change.path, new: change.old};
		default:
			return {...change, old: change.new, new: change.old};
	}
};

/** Reads `:<old mode> <new mode> <old oid> <new oid> <status>` and the path after it. */
const parse = (head: string, path: string): Change => {
	const [oldMode = '', newMode = '', oldOid = '', newOid = '', status] = head.slice(1).split(' ');
	const before = {mode: oldMode, oid: oldOid};
	const after = {mode: newMode, oid: newOid};
	switch (status) {
		case 'A':
			return {status, path, new: after};
		case 'D':
			return {status, path, old: before};
		default:
			return {status: status === 'T' ? 'T' : 'M', path, old: before, new: after};
	}
};

export type Rename = {readonly from: string; readonly to: string};

/** Returns the files that git considers renamed between two trees (or commits). */
export const renames = async (
	store: Store,
	from: string,
	to: string,
): Promise<readonly Rename[]> => {
	const options = ['-z', '--name-status', '--find-renames', '--diff-filter=R'];
	const fields = splitNul(await diffTree(store, [...options, from, to]));
	return Array.from({length: Math.floor(fields.length / 3)}, (_, index) => ({
		from: fields[3 * index + 1] ?? '',
		to: fields[3 * index + 2] ?? '',
	}));
};
