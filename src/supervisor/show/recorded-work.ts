import {realpath} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {isThere} from '../../lib/files/is-there.ts';
import {repositoryFolder} from '../folder.ts';

/** Where the work of a session lies that is played again. */
export type RecordedWork = {
	readonly session: string;
	/** Path of the supervisor's own repository. */
	readonly store: string;
};

/** Finds the work of a session by its folder, or by that of its journal; there is none beside a session that was copied out of the state folder. */
export const findRecordedWork = async (path: string): Promise<RecordedWork | undefined> => {
	const real = await realpath(path);
	const session = basename(real) === 'journal' ? dirname(real) : real;
	const home = dirname(session);
	const {lock, store} = repositoryFolder(dirname(home), basename(home));
	return (await isThere(lock)) ? {session: basename(session), store} : undefined;
};
