import {createHash} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {type FileHandle, open, readlink, stat} from 'node:fs/promises';
import {errorCode} from '../../lib/disk-failure.ts';
import {ifThere} from '../../lib/if-there.ts';
import {diskPath, entryOnDisk, isRefusal} from '../disk-path.ts';

/** What lies at a path, as plain data that differs when it does. */
export type Content = readonly (string | number | boolean)[];

/** Of a larger file its start counts, its size and its time: nobody waits for a hash of a disk. */
const hashedBytes = 16 * 2 ** 20;

/**
Returns what git reads at a path, through links as git does; nothing where there is nothing.

Pipes and devices are never opened: one could keep us waiting, or never end.
*/
export const contentAt = async (folder: string, name: string): Promise<Content | undefined> => {
	try {
		const entry = await ifThere(stat(diskPath(folder, name)));
		return entry && (await contentOf(folder, name, entry));
	} catch (error) {
		return unreadable(error);
	}
};

/** Returns the same of the entry itself: of a link only where it leads to. */
export const entryContentAt = async (
	folder: string,
	name: string,
): Promise<Content | undefined> => {
	try {
		const entry = await entryOnDisk(folder, name);
		return entry?.isSymbolicLink()
			? ['link', (await readlink(diskPath(folder, name), 'buffer')).toString('hex')]
			: entry && (await contentOf(folder, name, entry));
	} catch (error) {
		return unreadable(error);
	}
};

const contentOf = async (
	folder: string,
	name: string,
	entry: Stats,
): Promise<Content | undefined> => {
	if (!entry.isFile()) {
		return [entry.isDirectory() ? 'folder' : 'special'];
	}

	// What takes the file's place in this moment is not waited for either.
	const file = await ifThere(
		open(diskPath(folder, name), constants.O_RDONLY | constants.O_NONBLOCK),
	);
	try {
		return file && (await fileContent(file));
	} finally {
		await file?.close();
	}
};

const fileContent = async (file: FileHandle): Promise<Content> => {
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

/** What we may not read, or what leads in a circle, is no reason against anything; that it was otherwise is told. */
const unreadable = (error: unknown): Content => {
	if (isRefusal(error) || errorCode(error) === 'ELOOP') {
		return ['unreadable'];
	}

	throw error;
};
