import {type FSWatcher, watch} from 'node:fs';

/** How long after the last look another one is taken although nothing was told, in milliseconds: some file systems tell nothing. */
const lookAgainMs = 5000;

/** Calls whenever something may have changed in these folders; returns how to stop. */
export const watchFolders = (folders: readonly string[], onChange: () => void): (() => void) => {
	const watchers = folders.flatMap(folder => watching(folder, onChange));
	const timer = setInterval(onChange, lookAgainMs).unref();
	return () => {
		clearInterval(timer);
		for (const watcher of watchers) {
			watcher.close();
		}
	};
};

/** A folder that can't be watched is looked at now and then all the same. */
const watching = (folder: string, onChange: () => void): readonly FSWatcher[] => {
	try {
		const watcher = watch(folder, {persistent: false}, onChange);
		watcher.on('error', () => watcher.close());
		return [watcher];
	} catch {
		return [];
	}
};
