import {splitNul} from '../../process/nul.ts';
import {user} from '../../process/user.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import type {Change} from '../../tree/changes.ts';
import {entryOnDisk} from '../../tree/disk-path.ts';

/** A file that the person told git not to look at. */
export type Overlooked = {
	readonly path: string;
	readonly flag: 'assume-unchanged' | 'skip-worktree';
};

/**
Finds files that git was told to overlook among those that changes are about.

Git refuses to write over an edit of them all the same, while its status shows none; so a person who forgot the flag finds nothing to commit. Files that a sparse checkout leaves out have the flag as well, but aren't there.
*/
export const findOverlooked = async (
	{root}: Checkout,
	changes: readonly Change[],
): Promise<readonly Overlooked[]> => {
	const changed = new Set(changes.map(({path}) => path));
	const {stdout} = await user(root, ['ls-files', '-v', '-z']);
	const flagged = splitNul(stdout).flatMap(record => {
		const flag = flagOf(record.slice(0, 1));
		const path = record.slice(2);
		return flag !== undefined && changed.has(path) ? [{path, flag}] : [];
	});
	const entries = await Promise.all(flagged.map(({path}) => entryOnDisk(root, path)));
	return flagged.filter((_, position) => entries[position] !== undefined);
};

/** Git's letter for the state of an entry: a small one stands for what is assumed, `S` for what is skipped. */
const flagOf = (letter: string): Overlooked['flag'] | undefined => {
	if (letter.toUpperCase() === 'S') {
		return 'skip-worktree';
	}

	return letter === letter.toUpperCase() ? undefined : 'assume-unchanged';
};
