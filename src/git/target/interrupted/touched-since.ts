import {lstat} from 'node:fs/promises';
import {entryOnDisk, foldersAbove} from '../../tree/disk-path.ts';

/** A file's time may lag behind the clock, as the kernel writes it down only now and then. */
const clockSlackMs = 1000;

/**
Whether something may have been written to a path of a checkout, or taken away there, since a moment (ISO 8601).

The time of a file's last change of any kind counts, since no program can set that. What isn't there has none, but the folder that it was taken out of has.
*/
export const isTouchedSince = async (
	root: string,
	path: string,
	since: string,
): Promise<boolean> => {
	for (const at of [path, ...foldersAbove(path).toReversed()]) {
		const entry = await entryOnDisk(root, at);
		if (entry !== undefined) {
			return isSince(entry.ctimeMs, since);
		}
	}

	return isSince((await lstat(root)).ctimeMs, since);
};

/** Whether a time of a file may be one after a moment (ISO 8601). */
export const isSince = (timeMs: number, since: string): boolean =>
	timeMs >= Date.parse(since) - clockSlackMs;
