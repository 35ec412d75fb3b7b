import {readdir} from 'node:fs/promises';
import {isAbsence} from '../../../lib/files/if-there.ts';
import {forEachConcurrent} from '../../../lib/for-each-concurrent.ts';
import {decodePath} from '../../../lib/text/byte-path.ts';
import type {WorktreeLocation} from '../../process/sealed.ts';
import {diskPath, entryOnDisk, isBelowFolders, isRefusal} from '../../tree/disk-path.ts';
import {ignoredIn} from '../ignored-in.ts';

/** Returns the pipes, sockets and devices in those folders, ignored ones left out. */
export const findSpecialFiles = async (
	location: WorktreeLocation,
	folders: Iterable<string>,
): Promise<string[]> => {
	const found: string[] = [];
	await forEachConcurrent(folders, laneCount, async folder => {
		found.push(...(await specialFilesIn(location.workTree, folder)));
	});
	const paths = await withoutLinked(location.workTree, found);
	const ignored = await ignoredIn(location, paths);
	return paths.filter(path => !ignored.has(path)).toSorted();
};

/** So many folders are read at a time: enough that no thread of Node.js waits for work, and few enough that others get their turn. */
const laneCount = 128;

/** Returns those of the paths in whose folder we may not look: to git they seem removed. */
export const findUnreachable = async (
	root: string,
	paths: readonly string[],
): Promise<ReadonlySet<string>> => {
	const found = await Promise.all(paths.map(path => isUnreachable(root, path)));
	return new Set(paths.filter((_, position) => found[position]));
};

const isUnreachable = (root: string, path: string): Promise<boolean> =>
	entryOnDisk(root, path).then(() => false, isRefusal);

export type Submodules = {
	/** Folders of submodules that hold something, of which a snapshot keeps nothing. */
	readonly used: readonly string[];
	/** Submodules that a file or link stands in for. */
	readonly replaced: readonly string[];
};

/** Sorts submodules by what lies in their place; they are neither entered nor asked. */
export const lookAtSubmodules = async (
	root: string,
	paths: Iterable<string>,
): Promise<Submodules> => {
	const used: string[] = [];
	const replaced: string[] = [];
	for (const path of paths) {
		const entry = await entryOnDisk(root, path);
		if (entry?.isDirectory()) {
			const names = await namesIn(root, path);
			used.push(...(names.length > 0 ? [path] : []));
		} else {
			replaced.push(path);
		}
	}

	return {used, replaced};
};

/** Leaves out what was found behind a link that stands in place of a folder. */
const withoutLinked = async (root: string, paths: readonly string[]): Promise<string[]> => {
	const real = await Promise.all(paths.map(path => isBelowFolders(root, path)));
	return paths.filter((_, position) => real[position]);
};

const specialFilesIn = async (root: string, folder: string): Promise<string[]> => {
	if (await holdsUsualOnly(root, folder)) {
		return [];
	}

	const entries = await namesIn(root, folder);
	return entries
		.filter(entry => !isUsual(entry))
		.map(entry => `${folder === '' ? '' : `${folder}/`}${decodePath(entry.name)}`);
};

/** A look at names as text costs half of one at names as bytes; it leaves open what can't be seen that way. */
const holdsUsualOnly = async (root: string, folder: string): Promise<boolean> =>
	folder.isWellFormed() &&
	(await readdir(`${root}/${folder}`, {withFileTypes: true}).then(
		entries => entries.every(isUsual),
		() => false,
	));

const isUsual = (entry: EntryKind): boolean =>
	entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();

type EntryKind = {
	readonly isFile: () => boolean;
	readonly isDirectory: () => boolean;
	readonly isSymbolicLink: () => boolean;
};

const namesIn = async (root: string, folder: string) => {
	try {
		return await readdir(diskPath(root, folder), {withFileTypes: true, encoding: 'buffer'});
	} catch (error) {
		if (isAbsence(error) || isRefusal(error)) {
			return [];
		}

		throw error;
	}
};
