import {dirname, join} from 'node:path';
import {errorCode} from '../lib/files/disk-failure.ts';
import {type JournalFile, type JournalFiles, writeAll} from './files.ts';
import type {Position} from './scan.ts';
import {segmentPath} from './segment.ts';

/**
Copies what stands behind `position` into `torn/`, beside the journal, and returns the file.

Nobody was promised these bytes, but a person who looks for what an agent did last may want them. The copy is durable before the caller cuts them off.
*/
export const keepTornTail = async (
	folder: string,
	position: Position,
	files: JournalFiles,
): Promise<string> => {
	const segment = await files.read(segmentPath(folder, position.segment));
	const tornFolder = join(dirname(folder), 'torn');
	await files.makeFolder(tornFolder);
	const {path, file} = await createFree(tornFolder, position, files);
	try {
		await writeAll(file, segment.subarray(position.offset), 0);
		await file.sync();
	} finally {
		await file.close();
	}

	await files.syncFolder(tornFolder);
	return path;
};

/** The same place can be torn again after it was cut, so an older copy may have the name. */
const createFree = async (
	tornFolder: string,
	position: Position,
	files: JournalFiles,
): Promise<{readonly path: string; readonly file: JournalFile}> => {
	for (let copy = 1; ; copy++) {
		const name = `${String(position.segment).padStart(6, '0')}-${position.offset}-${copy}.torn`;
		const path = join(tornFolder, name);
		try {
			return {path, file: await files.create(path)};
		} catch (error) {
			if (errorCode(error) !== 'EEXIST') {
				throw error;
			}
		}
	}
};
