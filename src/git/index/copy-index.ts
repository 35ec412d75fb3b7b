import {copyFile, stat, utimes} from 'node:fs/promises';
import {ifThere} from '../../lib/files/if-there.ts';

/**
Copies an index together with the second it was written in; returns whether there was one.

Git takes a file for unchanged when its size and its second are the same, unless the index is no younger than that: then it reads the file. A copy that looked younger would hide, for good, an edit of the same size in the second of the last look.
*/
export const copyIndex = async (from: string, to: string): Promise<boolean> => {
	const found = await ifThere(stat(from));
	if (found === undefined) {
		return false;
	}

	await copyFile(from, to);
	const second = Math.floor(found.mtimeMs / 1000);
	await utimes(to, second, second);
	return true;
};
