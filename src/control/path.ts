import {createHash} from 'node:crypto';
import {lstatSync, mkdirSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';
import {Failure} from '../lib/failure.ts';
import {errorCode, readRegularFile} from '../lib/files/reading.ts';
import {writeAtomically} from '../lib/files/write-atomically.ts';

/** Smallest limit of a socket path's length among systems, in bytes. */
const longestPath = 104;

/**
Returns the path of a repository's socket, and creates its folder.

The folder keeps other users out, so one that others can enter is refused: they could answer in our name.
*/
export const socketPath = (repositoryId: string): string => {
	const folder = socketFolder();
	const path = requireShort(join(folder, `${nameOf(repositoryId)}.sock`));
	makePrivate(folder);
	return path;
};

/**
Returns the path of an agent's private socket, in a separate folder that can be mounted for that agent alone.

@param agent unique among all sessions and repositories
*/
export const agentSocketPath = (agent: string): string => {
	const folder = socketFolder();
	const own = join(folder, nameOf(agent));
	const path = requireShort(join(own, 'tools.sock'));
	makePrivate(folder);
	makePrivate(own);
	return path;
};

const nameOf = (text: string): string =>
	createHash('sha256').update(text).digest('hex').slice(0, 12);

const requireShort = (path: string): string => {
	const length = Buffer.byteLength(path);
	if (length > longestPath) {
		throw new Failure('missing', `The path of the socket is too long (${length} bytes): ${path}.`, {
			hint: 'Set XDG_RUNTIME_DIR or TMPDIR to a folder with a shorter path.',
		});
	}

	return path;
};

/** Returns the folder of all sockets of this user. */
export const socketFolder = (): string => {
	const runtime = process.env.XDG_RUNTIME_DIR;
	return runtime !== undefined && isAbsolute(runtime) && isFolder(runtime)
		? join(runtime, 'delegate-tui')
		: join(tmpdir(), `delegate-tui-${ownUid()}`);
};

/** Returns our user id; a container may run with a number that has no user. */
const ownUid = (): number | undefined => process.geteuid?.();

const isFolder = (path: string): boolean =>
	statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;

const makePrivate = (folder: string): void => {
	try {
		mkdirSync(folder, {mode: 0o700});
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') {
			throw new Failure('missing', `The folder ${folder} for the socket could not be made.`, {
				hint: 'Set XDG_RUNTIME_DIR or TMPDIR to a folder that can be written.',
				cause: error,
			});
		}
	}

	const flaw = flawOf(folder);
	if (flaw !== undefined) {
		throw new Failure('refused', `The folder ${folder} for the socket ${flaw}.`, {
			hint: 'Remove it if it is yours, then start again.',
		});
	}
};

const flawOf = (folder: string): string | undefined => {
	const found = lstatSync(folder);
	if (!found.isDirectory()) {
		return 'is not a folder';
	}

	if (found.uid !== ownUid()) {
		return 'belongs to someone else';
	}

	return (found.mode & 0o077) === 0 ? undefined : 'can be entered by others';
};

/** Returns the socket's path in a pointer file; `undefined` if there is no such file. */
export const readPointer = (pointer: string): string | undefined => {
	try {
		return Buffer.from(readRegularFile(pointer).bytes).toString();
	} catch (error) {
		const isNone = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '');
		if (isNone || error instanceof Failure) {
			return undefined;
		}

		throw error;
	}
};

/** Writes a socket's path into a pointer file, unless it contains the path already. */
export const keepPointer = async (pointer: string, path: string): Promise<void> => {
	if (readPointer(pointer) !== path) {
		await writeAtomically(pointer, path);
	}
};
