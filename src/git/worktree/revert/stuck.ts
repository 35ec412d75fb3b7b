import {type GitResult, gitsWords, splitNul} from '../../process/result.ts';
import {sealed, type WorktreeLocation} from '../../process/sealed.ts';
import {findUnwritable} from '../../repository/unwritable-paths.ts';
import {type Change, inverse} from '../../tree/changes.ts';
import {isFileAt} from '../../tree/disk-path.ts';
import type {Between} from '../../tree/graft.ts';

/** Paths that can't be reverted, each with the cause. */
export type Stuck = ReadonlyMap<string, string>;

/** Finds out, before anything is touched, which changes can't be taken back for want of a right. */
export const findStuck = async (root: string, changes: readonly Change[]): Promise<Stuck> => {
	const unwritable = await findUnwritable(root, changes.map(inverse));
	return new Map(
		[...unwritable].map(([path, {folder, because}]) => [
			path,
			because === 'read-only'
				? `the file system of ./${folder} is read-only`
				: `nobody but its owner may write in ./${folder}`,
		]),
	);
};

/**
Finds out which changes git has not taken back; git warns of a file that it can't remove, and goes on.

Nothing counts when a file is neither as it was nor as it was to be: then somebody was at work there.
*/
export const findStuckAfter = async (
	location: WorktreeLocation,
	changes: readonly Change[],
	{before, after}: Between,
	result: GitResult,
): Promise<Stuck> => {
	if (result.code === 0 && result.stderr === '') {
		return new Map();
	}

	const notBefore = await notAsIn(location, before, changes);
	const notAfter = await notAsIn(location, after, changes);
	const isForeign = [...notBefore].some(path => notAfter.has(path));
	return new Map(isForeign ? [] : [...notBefore].map(path => [path, causeOf(result)]));
};

/** Git goes on after a warning, and ends after an error. */
const causeOf = (result: GitResult): string => gitsWords(result).replace(/^warning: /, '');

/** Returns the changed paths that are not on the disk as that tree has them. */
const notAsIn = async (
	location: WorktreeLocation,
	tree: string,
	changes: readonly Change[],
): Promise<ReadonlySet<string>> => {
	await sealed(location, ['read-tree', tree]);
	await sealed(location, ['update-index', '-q', '--refresh'], {expect: 'any'});
	const args = ['diff-files', '-z', '--name-only', '--ignore-submodules'];
	const differs = new Set(splitNul((await sealed(location, args)).stdout));
	const listed = new Set(
		splitNul((await sealed(location, ['ls-tree', '-r', '-z', '--name-only', tree])).stdout),
	);
	for (const {path} of changes) {
		if (!listed.has(path) && (await isFileAt(location.workTree, path))) {
			differs.add(path);
		}
	}

	return differs;
};
