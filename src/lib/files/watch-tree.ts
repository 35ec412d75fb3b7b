import {type FSWatcher, watch} from 'node:fs';
import {lstat, readdir} from 'node:fs/promises';
import {platform} from 'node:os';
import {basename, join} from 'node:path';
import {errorCode, isAbsence} from './reading.ts';

export type TreeWatchOptions = {
	/** Returns the folders whose content doesn't count, among paths relative to the root. */
	readonly ignored: (folders: readonly string[]) => Promise<ReadonlySet<string>>;
	/** Maximum number of folders to watch; a larger tree is not watched at all. */
	readonly maximumFolders?: number;
	/** True if one watch of the system covers a whole tree. */
	readonly isRecursive?: boolean;
};

/** Hints of changes below a folder. A hint can be missed, so look sometimes without one as well. */
export type TreeWatch = {
	/** Returns whether anything may have changed since the last call; always `true` if the tree can't be watched. */
	readonly takeHint: () => Promise<boolean>;
	/** Rereads the folders, after a change that caused no hint. */
	readonly renew: () => void;
	/** Returns the error that prevents watching. */
	readonly trouble: () => unknown;
	readonly close: () => void;
};

/**
Watches a folder and all folders in it, except `.git` and ignored ones.

On Linux each folder has its own inotify watch. `fs.watch` with `recursive` would also watch each file, and would lose a file that is replaced by a rename, which is how most editors write.
*/
export const watchTree = (
	root: string,
	{ignored, maximumFolders = 20_000, isRecursive = platform() !== 'linux'}: TreeWatchOptions,
): TreeWatch => {
	const watchers = new Map<string, FSWatcher>();
	/** Paths that were created, moved or removed, and may be folders. */
	let moved = new Set<string>(['']);
	let isHinted = true;
	let trouble: unknown;

	const close = (): void => {
		for (const watcher of watchers.values()) {
			watcher.close();
		}

		watchers.clear();
	};

	const fail = (error: unknown): void => {
		trouble ??= error;
		close();
	};

	const hear = (folder: string, event: string, name: string | null): void => {
		if (name === '.git') {
			return;
		}

		isHinted = true;
		// A removed folder reports its own name.
		const isRoot = folder === '' && name === basename(root);
		if (name === null || isRoot || name === '.gitignore' || moved.size >= mostMoved) {
			moved = new Set(['']);
		} else if (event === 'rename' && !isRecursive) {
			moved.add(pathIn(folder, name));
		}
	};

	const add = (folder: string): void => {
		if (watchers.size >= maximumFolders) {
			fail(new Error(`it has more than ${maximumFolders} folders`));
		}

		if (trouble !== undefined) {
			return;
		}

		try {
			const options = {persistent: false, recursive: isRecursive};
			const watcher = watch(join(root, folder), options, (event, name) =>
				hear(folder, event, name),
			);
			watchers.set(folder, watcher.on('error', fail));
		} catch (error) {
			// A folder that is gone or unreadable gives no hints, but a look can't read it either.
			if (!isAbsence(error) && errorCode(error) !== 'EACCES') {
				fail(error);
			}
		}
	};

	/** Closes all watches at or below a path: a folder that was replaced keeps the old one's watch. */
	const forget = (path: string): void => {
		for (const [folder, watcher] of watchers) {
			if (path === '' || folder === path || folder.startsWith(`${path}/`)) {
				watcher.close();
				watchers.delete(folder);
			}
		}
	};

	/** Watches a folder before reading its entries, so that none is created unseen in between. */
	const follow = async (paths: readonly string[]): Promise<void> => {
		const found = await Promise.all(paths.map(path => isFolder(join(root, path))));
		let level = paths.filter((_, position) => found[position]);
		while (level.length > 0 && trouble === undefined) {
			const left = await ignored(level.filter(folder => folder !== ''));
			const kept = level.filter(folder => !left.has(folder));
			kept.forEach(add);
			level = isRecursive
				? []
				: (await Promise.all(kept.map(folder => foldersIn(root, folder)))).flat();
		}
	};

	return {
		takeHint: async () => {
			if (trouble === undefined && moved.size > 0) {
				const paths = [...moved];
				moved = new Set();
				// Forget them together: comparing thousands of paths with each watch would take long.
				paths.filter(path => path === '' || watchers.has(path)).forEach(forget);
				await follow(paths).catch(fail);
				if (!watchers.has('')) {
					moved.add('');
				}

				// Entries that were created in a new folder before its watch are found by one more look.
				isHinted = true;
				return true;
			}

			const was = isHinted;
			isHinted = false;
			return was || trouble !== undefined;
		},
		renew: () => {
			moved = new Set(['']);
		},
		trouble: () => trouble,
		close: () => {
			trouble ??= new Error('it is watched no more');
			close();
		},
	};
};

/** Above this number, rereading all folders costs less. */
const mostMoved = 500;

const pathIn = (folder: string, name: string): string =>
	folder === '' ? name : `${folder}/${name}`;

const isFolder = (path: string): Promise<boolean> =>
	lstat(path).then(
		found => found.isDirectory(),
		() => false,
	);

const foldersIn = async (root: string, folder: string): Promise<readonly string[]> => {
	const entries = await readdir(join(root, folder), {withFileTypes: true}).catch(() => []);
	return entries
		.filter(entry => entry.isDirectory() && entry.name !== '.git')
		.map(({name}) => pathIn(folder, name));
};
