import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {build} from './build.ts';

/** Builds the bundle if a source, a lock file or the build itself is newer. */
export const buildWhenStale = async (): Promise<void> => {
	const built = await newest(['dist/delegate-tui.js']);
	const sources = await newest(['src', 'scripts', 'package.json', 'package-lock.json']);
	if (built < sources) {
		await build();
	}
};

const newest = async (paths: readonly string[]): Promise<number> => {
	const times = await Promise.all(paths.map(modifiedAt));
	return Math.max(0, ...times);
};

const modifiedAt = async (path: string): Promise<number> => {
	const status = await stat(path).catch(() => undefined);
	if (!status) {
		return 0;
	}

	if (!status.isDirectory()) {
		return status.mtimeMs;
	}

	const names = await readdir(path);
	return Math.max(status.mtimeMs, await newest(names.map(name => join(path, name))));
};

if (import.meta.main) {
	await buildWhenStale();
}
