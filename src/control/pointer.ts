import {Failure} from '../lib/failure.ts';
import {errorCode} from '../lib/files/disk-failure.ts';
import {openRegularFile} from '../lib/files/open-regular-file.ts';
import {writeAtomically} from '../lib/files/write-atomically.ts';

/** Returns the path of a socket that a file names; nothing where no such file is, or something else is in its place. */
export const readPointer = async (pointer: string): Promise<string | undefined> => {
	try {
		const handle = await openRegularFile(pointer);
		return await handle.readFile('utf8').finally(() => handle.close());
	} catch (error) {
		const isNone = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '');
		if (isNone || error instanceof Failure) {
			return undefined;
		}

		throw error;
	}
};

/** Has a file name the path of a socket, whatever is in its place; one that does already is left alone. */
export const keepPointer = async (pointer: string, path: string): Promise<void> => {
	if ((await readPointer(pointer)) !== path) {
		await writeAtomically(pointer, path);
	}
};
