import {splitNul} from '../../process/nul.ts';
import type {GitResult} from '../../process/result.ts';
import {user} from '../../process/user.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import {type Change, changes} from '../../tree/changes.ts';
import {entryOnDisk} from '../../tree/disk-path.ts';
import type {Step} from '../move-checkout.ts';
import {count, type Obstacle} from './obstacle.ts';

/**
Looks for files that git was told to overlook where it refused a move because of an edit.

It refuses to write over an edit of them all the same, while its status shows none; so a person who forgot the flag finds nothing to commit. Files that a sparse checkout leaves out have the flag as well, but aren't there.
*/
export const overlookedObstacle = async (
	{root}: Checkout,
	{store, from, to, what}: Step,
	{stderr}: GitResult,
): Promise<Obstacle | undefined> => {
	const isEdited = /would be overwritten|not uptodate/.test(stderr);
	const overlooked = isEdited ? await findOverlooked(root, await changes(store, from, to)) : [];
	if (overlooked.length === 0) {
		return undefined;
	}

	const paths = overlooked.map(({path}) => path);
	const flags = [...new Set(overlooked.map(({flag}) => flag))];
	return {
		cause: 'dirty-checkout',
		message: `The ${what} changes ${count(paths)} in ${root} that git was told not to look at (${flags.join(', ')}), and git finds an edit there.`,
		hint: `Let git look again (${flags.map(flag => `git update-index --no-${flag} FILE`).join(', ')}), commit or stash what you find, then try again.`,
		paths,
	};
};

type Overlooked = {
	readonly path: string;
	readonly flag: 'assume-unchanged' | 'skip-worktree';
};

const findOverlooked = async (
	root: string,
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
