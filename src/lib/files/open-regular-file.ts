import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {Failure} from '../failure.ts';
import {errorCode} from './disk-failure.ts';

/**
Opens a file of our own that others could have put something else in the place of.

A pipe would be waited for without end, and a link leads to somebody else's file or device.

@throws `Failure` of kind `refused` when it is no file; the system's error otherwise
*/
export const openRegularFile = async (
	path: string,
	flags: number = constants.O_RDONLY,
	mode?: number,
): Promise<FileHandle> => {
	const handle = await open(path, flags | guard, mode).catch(error => {
		throw ['ELOOP', 'ENXIO'].includes(errorCode(error) ?? '') ? notRegular(path, error) : error;
	});
	if ((await handle.stat()).isFile()) {
		return handle;
	}

	await handle.close();
	throw notRegular(path);
};

/** Neither follows a link nor waits for the other end of a pipe. */
const guard = constants.O_NOFOLLOW | constants.O_NONBLOCK;

const notRegular = (path: string, cause?: unknown): Failure =>
	new Failure('refused', `${path} is no file: a pipe, a link or something else is in its place.`, {
		hint: 'Look what it is, and put the file back or move it away.',
		cause,
	});
