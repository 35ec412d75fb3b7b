import {type BigIntStats, constants} from 'node:fs';
import {chmod, type FileHandle, lstat, open, stat} from 'node:fs/promises';
import {platform} from 'node:os';
import {Failure} from '../../lib/failure.ts';
import {errorCode, isAbsence, ownerRights, succeeds} from '../../lib/files/reading.ts';
import {splitNul} from '../process/result.ts';
import {type GitLocation, sealed, type WorktreeLocation} from '../process/sealed.ts';
import {ignoredAmong} from '../repository/checkouts.ts';
import {diskPath, entryOnDisk, foldersAbove} from '../tree/disk-path.ts';

/**
Opens a worktree's folder without following links, and lends a path (`/proc/self/fd/N`) that leads only to this folder.

An agent may replace its worktree by a link while we look at it; git, started a moment later, would follow it. Without `/proc` the worktree's own path is lent, and must still lead to the same folder afterwards.

@throws `Failure` of kind `refused` when the folder is gone, before or after.
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

/** Returns whether an error means that a path isn't a folder: `O_NOFOLLOW` on a link gives `ENOTDIR`, or `ELOOP` on some systems. */
const isNoFolder = (error: unknown): boolean => isAbsence(error) || errorCode(error) === 'ELOOP';

/** Rethrows an error unless it means that a path isn't a folder; for `catch`. */
export const unlessNoFolder = (error: unknown): undefined => {
	if (!isNoFolder(error) && !(error instanceof Failure && error.kind === 'refused')) {
		throw error;
	}
};

const noFolder = (tree: string): Failure =>
	new Failure('refused', `The worktree ${tree} is not a folder any more.`, {
		hint: 'Its earlier snapshots are kept; restore the agent from one of them.',
	});

/** Returns `/proc/self/fd/N` of an open folder, or its own path if the system has no `/proc`. */
export const rootOf = async (folder: FileHandle, tree: string): Promise<string> => {
	const root = `/proc/self/fd/${folder.fd}`;
	return (await isAt(folder, () => stat(root, {bigint: true}))) ? root : tree;
};

/** Opens each folder of a path without following links, as `openat` would. */
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

/** Returns `O_PATH` on Linux, which opens a folder without read permission; Node.js has no constant for it. */
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

/** Returns the ignored ones among paths of an agent's worktree, as `ignoredAmong` does. */
export const ignoredIn = async (
	location: WorktreeLocation,
	paths: readonly string[],
	by: 'rules' | 'index' = 'rules',
): Promise<ReadonlySet<string>> => {
	if (paths.length === 0) {
		return new Set();
	}

	const env = {GIT_LITERAL_PATHSPECS: '0'};
	return ignoredAmong(
		(args, input) => sealed(location, args, {input, env, expect: 'any'}),
		paths,
		by,
	);
};

/** Lists the ignored paths of an agent's worktree; a folder with ignored files only is listed as one path. */
export const ignoredEntries = (
	{gitDir}: GitLocation,
	{tree, index}: {readonly tree: string; readonly index: string},
): Promise<readonly string[]> =>
	withWorktree(tree, async workTree => {
		const args = ['--others', '--ignored', '--exclude-standard', '--directory'];
		return splitNul((await sealed({gitDir, workTree, index}, ['ls-files', '-z', ...args])).stdout);
	});

/** Adds all of our rights to the folders above paths of a worktree during `use`, and restores their modes. Folders of another user stay unchanged. */
export const withRights = async <Result>(
	root: string,
	paths: readonly string[],
	use: () => Promise<Result>,
): Promise<Result> => {
	const lent: (readonly [folder: string, mode: number])[] = [];
	// A folder comes after its parent.
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

/** Returns the former mode if it was changed. */
const widen = async (root: string, folder: string): Promise<number | undefined> => {
	const entry = await entryOnDisk(root, folder).catch(() => undefined);
	if (!entry?.isDirectory() || (entry.mode & ownerRights) === ownerRights) {
		return undefined;
	}

	const mode = entry.mode & 0o7777;
	return (await setMode(root, folder, mode | ownerRights)) ? mode : undefined;
};

/** Sets a folder's mode; skips a folder that is gone or another user's. */
const setMode = (root: string, folder: string, mode: number): Promise<boolean> =>
	succeeds(within(root, folder === '' ? [] : folder.split('/'), path => chmod(`${path}/`, mode)));
