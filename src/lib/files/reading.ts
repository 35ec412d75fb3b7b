import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {type FileHandle, lstat, open, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {attempt, Failure} from '../failure.ts';
import {withoutStop} from '../text/words.ts';

/** The cause of a system error, and a hint. */
export type SystemCause = {readonly cause: string; readonly hint: string};

const causes: Readonly<Record<string, SystemCause>> = {
	ENOSPC: {cause: 'the disk is full', hint: 'Free some space, then start again.'},
	EDQUOT: {cause: 'the disk quota is used up', hint: 'Free some space, then start again.'},
	EIO: {cause: 'the disk reported an I/O error', hint: 'Check the disk before going on.'},
	EROFS: {cause: 'the disk is read-only', hint: 'Make it writable, then start again.'},
	EACCES: {cause: 'permission is denied', hint: 'Check who owns the folder, and its mode.'},
	EPERM: {cause: 'permission is denied', hint: 'Check who owns the folder, and its mode.'},
	EMFILE: {cause: 'this process has too many open files', hint: 'Raise `ulimit -n`.'},
	ENFILE: {cause: 'this machine has too many open files', hint: 'Close some programs.'},
};

/**
Converts a failed disk operation into a `Failure` with its cause; returns a `Failure` as it is.

@param sentence what could not be done, without its full stop: "The journal could not be written"
*/
export const diskFailure = (sentence: string, error: unknown): Failure => {
	if (error instanceof Failure) {
		return error;
	}

	const known = causeOf(error);
	if (known !== undefined) {
		return new Failure('missing', `${sentence}: ${known.cause}.`, {hint: known.hint, cause: error});
	}

	const message = withoutStop(error instanceof Error ? error.message : String(error));
	return new Failure('internal', `${sentence}: ${message}.`, {cause: error});
};

export const causeOf = (error: unknown): SystemCause | undefined => causes[errorCode(error) ?? ''];

/** Returns the code of a system error, such as `ENOENT`. */
export const errorCode = (error: unknown): string | undefined =>
	error instanceof Error && 'code' in error && typeof error.code === 'string'
		? error.code
		: undefined;

/** Returns whether an error means that a path doesn't exist. */
export const isAbsence = (error: unknown): boolean =>
	['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');

/** Rethrows a system error unless it means that the path exists; for `catch`. */
export const unlessThere = (error: unknown): void => {
	if (errorCode(error) !== 'EEXIST') {
		throw error;
	}
};

/** Returns the result, or `undefined` if the path doesn't exist. */
export const ifThere = <Found>(look: Promise<Found>): Promise<Found | undefined> =>
	look.catch((error: unknown) => {
		if (isAbsence(error)) {
			return undefined;
		}

		throw error;
	});

/** Runs synchronously, which is faster than a thread of the pool. */
export const atOnce = async <Result>(act: () => Result): Promise<Result> => act();

/** Returns whether a path exists; an inaccessible one counts as absent. */
export const isThere = (path: string): Promise<boolean> => succeeds(stat(path));

/** Returns whether a promise is fulfilled. */
export const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
	promise.then(
		() => true,
		() => false,
	);

/**
Opens a file of our own that another process could have replaced, without following a link or blocking on a pipe.

@throws `Failure` of kind `refused` when it is no regular file; the system's error otherwise
*/
export const openRegularFile = async (
	path: string,
	flags: number = constants.O_RDONLY,
	mode?: number,
): Promise<FileHandle> => {
	const handle = await open(path, flags | guard, mode).catch(error => {
		throw unguarded(path, error);
	});
	if ((await handle.stat()).isFile()) {
		return handle;
	}

	await handle.close();
	throw notRegular(path);
};

/**
Reads a range of such a file synchronously, which is faster than a thread of the pool.

A network or user file system may return fewer bytes than requested, which must not look like the file's end.
*/
export const readRegularFile = (
	path: string,
	from = 0,
	most = Number.POSITIVE_INFINITY,
): {readonly bytes: Uint8Array; readonly size: number} => {
	const file = openNow(path);
	try {
		const found = fstatSync(file);
		if (!found.isFile()) {
			throw notRegular(path);
		}

		const bytes = new Uint8Array(Math.max(0, Math.min(most, found.size - from)));
		let length = 0;
		for (let read = -1; read !== 0 && length < bytes.length; length += read) {
			read = readSync(file, bytes, length, bytes.length - length, from + length);
		}

		return {bytes: bytes.subarray(0, length), size: found.size};
	} finally {
		closeSync(file);
	}
};

/** Returns the text of such a file; an empty one if it can't be read, or is longer than a number of bytes. */
export const textInFile = (path: string, most: number): string => {
	const {bytes, size} = attempt(() => readRegularFile(path, 0, most)) ?? {size: 0};
	return bytes === undefined || size > most ? '' : Buffer.from(bytes).toString();
};

const openNow = (path: string): number => {
	try {
		return openSync(path, constants.O_RDONLY | guard);
	} catch (error) {
		throw unguarded(path, error);
	}
};

const guard = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Converts the error of a link or a pipe that was not opened. */
const unguarded = (path: string, error: unknown): unknown =>
	['ELOOP', 'ENXIO'].includes(errorCode(error) ?? '') ? notRegular(path, error) : error;

const notRegular = (path: string, cause?: unknown): Failure =>
	new Failure(
		'refused',
		`${path} is not a file: a pipe, a link or something else is in its place.`,
		{
			hint: 'See what it is, and put the file back or move it away.',
			cause,
		},
	);

/** Mode bits of the owner's `rwx`. */
export const ownerRights = 0o700;

export const readEnd = async (file: FileHandle, mostBytes: number): Promise<string> => {
	const {size} = await file.stat();
	const bytes = Buffer.alloc(Math.min(size, mostBytes));
	const {bytesRead} = await file.read(bytes, 0, bytes.length, size - bytes.length);
	return bytes.toString('utf8', 0, bytesRead);
};

/** Returns the end of a file as text; empty if there is no such file. */
export const readEndAt = async (path: string, mostBytes: number): Promise<string> => {
	await using file = await ifThere(openRegularFile(path));
	return file === undefined ? '' : await readEnd(file, mostBytes);
};

/** Returns the disk usage of a file or folder in bytes; unreadable entries count as 0. */
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

/** The unit of `Stats.blocks`. */
const blockBytes = 512;
