import {join} from 'node:path';
import {joinLines, linesOf} from '../process/result.ts';
import {type GitLocation, sealed} from '../process/sealed.ts';
import {changesWithFolders, newOf, oldOf, sideOf} from '../tree/changes.ts';
import {submoduleMode} from '../tree/entry.ts';
import {notHeldIn} from './borrowed.ts';

/** What is to be had beyond what is safe already. */
export type Beyond = {
	/** Commits, trees or files, by their ids. */
	readonly of: readonly string[];
	/** Commits or trees of which nothing is wanted: the store has them, or they are pinned in the person's repository. */
	readonly beyond: readonly string[];
	/** Whether what is missing everywhere is left out: of a clone without blobs of its own git has never fetched some. */
	readonly isLenient?: boolean;
};

/**
Sees to it that the store has for itself all that something leads to, as far as that goes beyond what is safe.

Git writes no object that it can borrow. What it borrows may be garbage in the person's repository, an amended commit or a file that was once staged, and gone with their next `git gc`.

@throws `Failure` with git's own words when an object is gone already.
*/
export const copyBorrowed = async (location: GitLocation, parts: Beyond): Promise<void> =>
	copyBorrowedAll(location, await objectsOf(location, parts));

/** Does that for one tree that came from another, which is safe: only what differs is looked at. */
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

/** Does that for these objects, and none that they lead to. */
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

/** Returns the ids of all that something leads to beyond something else; each of them can be read. */
const objectsOf = async (
	location: GitLocation,
	{of, beyond, isLenient = false}: Beyond,
): Promise<readonly string[]> => {
	if (of.length === 0) {
		return [];
	}

	// Of a commit that is left out, git looks at the files only where it is a parent.
	const without = beyond.flatMap(id => [`^${id}`, `^${id}^{tree}`]);
	const args = ['rev-list', '--objects', '--no-object-names', '--stdin'];
	const listed = await sealed(location, isLenient ? [...args, '--missing=print'] : args, {
		input: joinLines([...of, ...without]),
	});
	return linesOf(listed).filter(line => !line.startsWith('?'));
};
