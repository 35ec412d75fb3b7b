import {join} from 'node:path';
import {joinLines, linesOf} from '../process/result.ts';
import {type GitLocation, sealed} from '../process/sealed.ts';
import {changesWithFolders, newOf, oldOf, sideOf} from '../tree/changes.ts';
import {submoduleMode} from '../tree/entry.ts';
import {notHeldIn} from './borrowed.ts';

export type Beyond = {
	/** Ids of commits, trees or blobs to copy. */
	readonly of: readonly string[];
	/** Commits or trees whose objects are safe: in the store, or pinned in the person's repository. */
	readonly beyond: readonly string[];
	/** Skips objects that are missing everywhere, as in a partial clone. */
	readonly isLenient?: boolean;
};

/**
Copies the borrowed objects that the given ones reach, beyond those that are safe, into the store.

Git doesn't write an object that it can borrow. A borrowed one may be unreachable in the person's repository (an amended commit, a file that was once staged) and disappear with their next `git gc`.

@throws `Failure` with git's own words when an object is gone already.
*/
export const copyBorrowed = async (location: GitLocation, parts: Beyond): Promise<void> =>
	copyBorrowedAll(location, await objectsOf(location, parts));

/** Copies the borrowed objects of a tree that differ from a safe one. */
export const copyBorrowedChanges = async (
	location: GitLocation,
	from: string,
	tree: string,
): Promise<void> => {
	const found = await changesWithFolders(location, from, tree);
	if (found.length === 0) {
		return;
	}

	const before = new Set(found.map(change => oldOf(change)?.oid));
	const after = sideOf(found, newOf).flatMap(([, {mode, oid}]) =>
		mode === submoduleMode ? [] : [oid],
	);
	await copyBorrowedAll(
		location,
		[tree, ...after].filter(id => !before.has(id)),
	);
};

/** Copies these objects, but none that they reach. */
export const copyBorrowedAll = async (
	location: GitLocation,
	ids: Iterable<string>,
): Promise<void> => {
	const own = join(location.gitDir, 'objects');
	const borrowed = await notHeldIn(own, ids);
	if (borrowed.length > 0) {
		await sealed(location, ['pack-objects', '--quiet', '--window=0', join(own, 'pack/pack')], {
			input: joinLines(borrowed),
		});
	}
};

/** Lists the ids that some objects reach and others don't. */
const objectsOf = async (
	location: GitLocation,
	{of, beyond, isLenient = false}: Beyond,
): Promise<readonly string[]> => {
	if (of.length === 0) {
		return [];
	}

	// Git excludes a commit's files only if it is a parent, so exclude its tree too.
	const without = beyond.flatMap(id => [`^${id}`, `^${id}^{tree}`]);
	const args = ['rev-list', '--objects', '--no-object-names', '--stdin'];
	const listed = await sealed(location, isLenient ? [...args, '--missing=print'] : args, {
		input: joinLines([...of, ...without]),
	});
	return linesOf(listed).filter(line => !line.startsWith('?'));
};
