import {randomBytes} from 'node:crypto';
import {constants} from 'node:fs';
import {open, rename, rm, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {diskFailure, ifThere} from './reading.ts';

export type WriteOptions = {
	/** Mode of a new file; an existing one keeps its own. */
	readonly mode?: number;
};

/**
Replaces a file atomically and durably. A symbolic link is replaced, not followed.

@throws `Failure` that names the cause; the old content stays.
*/
export const writeAtomically = async (
	path: string,
	content: string | Uint8Array,
	{mode = 0o666}: WriteOptions = {},
): Promise<void> => {
	const random = randomBytes(4).toString('hex');
	const temporary = join(dirname(path), `.${basename(path)}.${random}.tmp`);
	try {
		await writeNew(temporary, content, await modeOf(path), mode);
		await rename(temporary, path);
		await syncFolder(dirname(path));
	} catch (error) {
		await rm(temporary, {force: true}).catch(() => {});
		throw diskFailure(`${path} could not be written`, error);
	}
};

const modeOf = async (path: string): Promise<number | undefined> => {
	const found = await ifThere(stat(path));
	return found && found.mode & 0o7777;
};

const writeNew = async (
	path: string,
	content: string | Uint8Array,
	keptMode: number | undefined,
	newMode: number,
): Promise<void> => {
	const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
	await using file = await open(path, flags, newMode);
	if (keptMode !== undefined) {
		await file.chmod(keptMode);
	}

	await file.writeFile(content);
	await file.sync();
};

const syncFolder = async (folder: string): Promise<void> => {
	await using file = await open(folder, constants.O_RDONLY);
	await file.sync();
};
