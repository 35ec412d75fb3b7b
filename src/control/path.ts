import {createHash} from 'node:crypto';
import {lstatSync, mkdirSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';
import {Failure} from '../lib/failure.ts';
import {errorCode, openRegularFile} from '../lib/files/reading.ts';
import {writeAtomically} from '../lib/files/write-atomically.ts';

/** What the address of a socket can hold on the strictest system. */
const longestPath = 104;

/**
Returns where the socket of a repository is, in a folder that is made when missing.

The folder is what keeps others out, so one that isn't ours alone is refused: whoever could put a socket there could answer in our name.
*/
export const socketPath = (repositoryId: string): string => {
	const folder = socketFolder();
	const path = requireShort(join(folder, `${nameOf(repositoryId)}.sock`));
	makePrivate(folder);
	return path;
};

/**
Returns where the private socket of an agent is, in a folder of its own, so that this one can be given to it without another.

@param agent names it beyond its session and its repository
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

const socketFolder = (): string => {
	const runtime = process.env.XDG_RUNTIME_DIR;
	return runtime !== undefined && isAbsolute(runtime) && isFolder(runtime)
		? join(runtime, 'delegate-tui')
		: join(tmpdir(), `delegate-tui-${ownUid()}`);
};

/** Of the process: a container may run it for a number that no list of users knows. */
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
