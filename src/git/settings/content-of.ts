import {createHash} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {errorCode} from '../../lib/files/disk-failure.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {encodePath} from '../../lib/text/byte-path.ts';
import {isRefusal} from '../tree/disk-path.ts';

/** What lies at a path, as plain data that differs when it does. */
export type Content = readonly (string | number | boolean)[];

/** No settings are that long; of a longer file its size and time count, so that nobody waits for a hash of a disk. */
const longest = 2 ** 20;

/**
Returns what git reads at a path, through links as git does; nothing where there is nothing.

A pipe or device is opened without waiting and never read: one could keep us, or never end. What we may not read, or what leads in a circle, comes to something else; any other failure is one.
*/
export const contentOf = async (path: string): Promise<Content | undefined> => {
	try {
		const flags = constants.O_RDONLY | constants.O_NONBLOCK;
		await using file = await ifThere(open(Buffer.from(encodePath(path)), flags));
		return file && (await contentIn(file, await file.stat()));
	} catch (error) {
		if (isRefusal(error) || isUnopenable(error)) {
			return ['unreadable'];
		}

		throw error;
	}
};

/** A circle of links, or a socket. */
const isUnopenable = (error: unknown): boolean =>
	['ELOOP', 'ENXIO'].includes(errorCode(error) ?? '');

const contentIn = async (file: FileHandle, entry: Stats): Promise<Content> => {
	if (!entry.isFile()) {
		return [entry.isDirectory() ? 'folder' : 'special'];
	}

	const isExecutable = (entry.mode & 0o111) !== 0;
	return entry.size > longest
		? ['long', isExecutable, entry.size, entry.ctimeMs]
		: [
				'file',
				isExecutable,
				createHash('sha256')
					.update(await file.readFile())
					.digest('hex'),
			];
};
