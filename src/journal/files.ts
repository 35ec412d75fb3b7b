import {constants, readdirSync} from 'node:fs';
import {lstat, mkdir, open} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {ifThere, openRegularFile, readRegularFile} from '../lib/files/reading.ts';

/** An open file. Every write gives its position. */
export type JournalFile = {
	readonly path: string;
	/** Returns the number of written bytes, perhaps fewer than given. */
	readonly write: (bytes: Uint8Array, position: number) => Promise<number>;
	/** Resolves once the data is on disk. Must not be called again after a failure. */
	readonly sync: () => Promise<void>;
	readonly truncate: (length: number) => Promise<void>;
	/** Returns the file's length; `undefined` if its path leads to another file or none. */
	readonly size: () => Promise<number | undefined>;
	readonly close: () => Promise<void>;
};

/** Disk operations of the journal; tests make each of them fail. */
export type JournalFiles = {
	/** Creates a folder and its parents, durably. */
	readonly makeFolder: (folder: string) => Promise<void>;
	readonly list: (folder: string) => Promise<readonly string[]>;
	/** Reads a file from an offset, or from its start. */
	readonly read: (path: string, offset?: number) => Promise<Uint8Array>;
	/** Rejects with `EEXIST` if the file exists. */
	readonly create: (path: string) => Promise<JournalFile>;
	readonly open: (path: string) => Promise<JournalFile>;
	/** Makes the names in a folder durable. */
	readonly syncFolder: (folder: string) => Promise<void>;
};

const privateFolder = 0o700;
const privateFile = 0o600;

const openFile = async (path: string, flags: number): Promise<JournalFile> => {
	const handle = await openRegularFile(path, flags, privateFile);
	return {
		path,
		write: async (bytes, position) => {
			const {bytesWritten} = await handle.write(bytes, 0, bytes.length, position);
			return bytesWritten;
		},
		sync: () => handle.datasync(),
		truncate: length => handle.truncate(length),
		size: async () => {
			const own = await handle.stat({bigint: true});
			const found = await ifThere(lstat(path, {bigint: true}));
			return found?.ino === own.ino && found.dev === own.dev ? Number(own.size) : undefined;
		},
		close: () => handle.close(),
	};
};

const syncFolder = async (folder: string): Promise<void> => {
	const handle = await open(folder, constants.O_RDONLY);
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
};

const makeFolder = async (folder: string): Promise<void> => {
	const first = await mkdir(folder, {recursive: true, mode: privateFolder});
	if (first === undefined) {
		return;
	}

	for (let made = resolve(folder); made.length >= first.length; made = dirname(made)) {
		await syncFolder(dirname(made));
	}
};

/** The disk of this machine. */
export const diskFiles: JournalFiles = {
	makeFolder,
	list: async folder => readdirSync(folder),
	read: async (path, offset) => readRegularFile(path, offset).bytes,
	create: path => openFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL),
	open: path => openFile(path, constants.O_WRONLY),
	syncFolder,
};

/** Writes all bytes: a nearly full disk accepts only a part, without an error. */
export const writeAll = async (
	file: JournalFile,
	bytes: Uint8Array,
	position: number,
): Promise<void> => {
	let written = 0;
	while (written < bytes.length) {
		const taken = await file.write(bytes.subarray(written), position + written);
		if (taken === 0) {
			throw new Error('the disk takes no more bytes');
		}

		written += taken;
	}
};
