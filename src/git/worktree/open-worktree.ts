import {type BigIntStats, constants} from 'node:fs';
import {chmod, type FileHandle, lstat, open, stat} from 'node:fs/promises';
import {platform} from 'node:os';
import {Failure} from '../../lib/failure.ts';
import {errorCode, isAbsence, ownerRights} from '../../lib/files/reading.ts';
import {sealed, type WorktreeLocation} from '../process/sealed.ts';
import {ignoredAmong} from '../repository/checkouts.ts';
import {diskPath, entryOnDisk, foldersAbove} from '../tree/disk-path.ts';

/**
Lends a worktree's folder, as a path that leads into just this folder whatever is put in its place meanwhile.

An agent may put a link where its worktree was while we look at it; git, started a moment later, would go wherever that leads. So the folder is opened once, no link followed, and everything goes by what was opened. Where the system has no path for an open folder (`/proc`, on Linux), its own path must still lead there afterwards.

@throws `Failure` of kind `refused` when there is no folder any more, before or after.
*/
export const withWorktree = async <Result>(
	tree: string,
	use: (root: string) => Promise<Result>,
): Promise<Result> => {
	const flags = constants.O_DIRECTORY | constants.O_NOFOLLOW;
	await using folder = await open(tree, flags).catch(error => {
		throw isNoFolder(error) ? noFolder(tree) : error;
	});
	const result = await use(await rootOf(folder, tree));
	await requireInPlace(folder, tree);
	return result;
};

/** A link that isn't followed counts as no folder, or, in the words of some systems, as one link too many. */
const isNoFolder = (error: unknown): boolean => isAbsence(error) || errorCode(error) === 'ELOOP';

const noFolder = (tree: string): Failure =>
	new Failure('refused', `The worktree ${tree} is not a folder any more.`, {
		hint: 'Its earlier snapshots are kept; restore the agent from one of them.',
	});

/** Returns a path that leads into an open folder whatever is put in its place; its own path where the system has none such. */
export const rootOf = async (folder: FileHandle, tree: string): Promise<string> => {
	const root = `/proc/self/fd/${folder.fd}`;
	return (await isAt(folder, () => stat(root, {bigint: true}))) ? root : tree;
};

/** Opens each folder on the way, no link followed, so that one that is put there meanwhile leads to nobody's folders. */
export const within = async <Result>(
	root: string,
	[name, ...rest]: readonly string[],
	use: (folder: string) => Promise<Result>,
): Promise<Result> => {
	if (name === undefined) {
		return use(root);
	}

	const path = diskPath(root, name);
	const flags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;
	await using folder = await open(path, flags);
	return await within(await rootOf(folder, path.toString('utf8')), rest, use);
};

/** Returns the flag that opens a folder as a mere location, which Linux does even where it may not be read (`O_PATH`); Node.js has no name for that. */
export const pathOnlyFlagOn = (system: NodeJS.Platform): number =>
	system === 'linux' ? 0o10_000_000 : constants.O_RDONLY;

const pathOnly = pathOnlyFlagOn(platform());

const requireInPlace = async (folder: FileHandle, tree: string): Promise<void> => {
	if (!(await isAt(folder, () => lstat(tree, {bigint: true})))) {
		throw noFolder(tree);
	}
};

const isAt = async (folder: FileHandle, look: () => Promise<BigIntStats>): Promise<boolean> => {
	const [own, found] = await Promise.all([
		folder.stat({bigint: true}),
		look().catch(() => undefined),
	]);
	return found !== undefined && own.dev === found.dev && own.ino === found.ino;
};

/** Returns those of the paths that the ignore rules of an agent's worktree match. */
export const ignoredIn = async (
	location: WorktreeLocation,
	paths: readonly string[],
): Promise<ReadonlySet<string>> => {
	if (paths.length === 0) {
		return new Set();
	}

	const env = {GIT_LITERAL_PATHSPECS: '0'};
	return ignoredAmong((args, input) => sealed(location, args, {input, env, expect: 'any'}), paths);
};

/**
Gives ourselves all rights in the folders above those paths of a worktree while something is done; afterwards they have the modes that they had.

A worktree is ours, and an agent may close a folder of it. What belongs to another user stays as it is.
*/
export const withRights = async <Result>(
	root: string,
	paths: readonly string[],
	use: () => Promise<Result>,
): Promise<Result> => {
	const lent: (readonly [folder: string, mode: number])[] = [];
	// In this order a folder comes after the one that it lies in.
	for (const folder of ['', ...new Set(paths.flatMap(foldersAbove))].toSorted()) {
		const mode = await widen(root, folder);
		if (mode !== undefined) {
			lent.push([folder, mode]);
		}
	}

	try {
		return await use();
	} finally {
		for (const [folder, mode] of lent.toReversed()) {
			await setMode(root, folder, mode);
		}
	}
};

/** Returns the mode that a folder had, if it had to be changed. */
const widen = async (root: string, folder: string): Promise<number | undefined> => {
	const entry = await entryOnDisk(root, folder).catch(() => undefined);
	if (!entry?.isDirectory() || (entry.mode & ownerRights) === ownerRights) {
		return undefined;
	}

	const mode = entry.mode & 0o7777;
	return (await setMode(root, folder, mode | ownerRights)) ? mode : undefined;
};

/** A folder that is gone by then, or is another user's, is left alone. */
const setMode = (root: string, folder: string, mode: number): Promise<boolean> =>
	within(root, folder === '' ? [] : folder.split('/'), path => chmod(`${path}/`, mode)).then(
		() => true,
		() => false,
	);
