import {createHash} from 'node:crypto';
import {copyFile, readFile, rename, stat, utimes, writeFile} from 'node:fs/promises';
import {ifThere} from '../../lib/files/if-there.ts';
import {openRegularFile} from '../../lib/files/open-regular-file.ts';

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
	await writtenAt(to, found.mtimeMs);
	return true;
};

const writtenAt = async (path: string, timeMs: number): Promise<void> => {
	const second = Math.floor(timeMs / 1000);
	await utimes(path, second, second);
};

/** Digests of the indexes that this process keeps, by their paths. */
const kept = new Map<string, string>();

/** Moves an index to where it is kept, so that it is known again. */
export const keepIndex = async (from: string, to: string): Promise<void> => {
	kept.set(to, digestOf(await readFile(from)));
	await rename(from, to);
};

/**
Copies a kept index; returns whether it is the one that this process keeps there.

Another one may have been told to pass over files (`--skip-worktree`), or of what size and second an edited file is, so that git would miss the edit: an agent that no sandbox holds can write it for another agent. It is only a cache, so it counts for nothing then.
*/
export const copyKeptIndex = async (from: string, to: string): Promise<boolean> => {
	if (!kept.has(from)) {
		return false;
	}

	const found = await read(from).catch(() => undefined);
	if (found === undefined || digestOf(found.bytes) !== kept.get(from)) {
		return false;
	}

	await writeFile(to, found.bytes);
	await writtenAt(to, found.mtimeMs);
	return true;
};

const read = async (path: string) => {
	await using file = await openRegularFile(path);
	const [bytes, {mtimeMs}] = await Promise.all([file.readFile(), file.stat()]);
	return {bytes, mtimeMs};
};

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
