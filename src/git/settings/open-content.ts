import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';

/** What lies at a path, as plain data that differs when it does. */
export type Content = readonly (string | number | boolean)[];

/** Of a larger file its start counts, its size and its time: nobody waits for a hash of a disk. */
const hashedBytes = 16 * 2 ** 20;

/** Returns what an open file holds; of a pipe, device or folder nothing is read. */
export const openContent = async (file: FileHandle): Promise<Content> => {
	const entry = await file.stat();
	if (!entry.isFile()) {
		return ['special'];
	}

	const hash = createHash('sha256');
	const stream = file.createReadStream({start: 0, end: hashedBytes - 1, autoClose: false});
	for await (const chunk of stream) {
		hash.update(chunk);
	}

	const isExecutable = (entry.mode & 0o111) !== 0;
	const changedAt = entry.size > hashedBytes ? entry.ctimeMs : 0;
	return ['file', hash.digest('hex'), isExecutable, entry.size, changedAt];
};
