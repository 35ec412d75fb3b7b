import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';

/** Returns the bytes that a file, or a folder with all that is in it, takes on the disk; what can't be read counts as nothing. */
export const diskUsage = async (path: string): Promise<number> => {
	const entry = await lstat(path).catch(() => undefined);
	if (entry === undefined) {
		return 0;
	}

	const own = entry.blocks * blockBytes;
	if (!entry.isDirectory()) {
		return own;
	}

	let total = own;
	for (const name of await readdir(path).catch(() => [])) {
		total += await diskUsage(join(path, name));
	}

	return total;
};

/** What `blocks` counts, whatever the file system. */
const blockBytes = 512;
