import {open} from 'node:fs/promises';
import {readEnd} from '../../lib/files/read-end.ts';

/** As much of an output as is read again, in bytes: what failed stands near its end. */
const mostBytes = 2 ** 20;

/** Returns the end of a log. */
export const readLogEnd = async (log: string): Promise<string> => {
	await using file = await open(log);
	return await readEnd(file, mostBytes);
};
