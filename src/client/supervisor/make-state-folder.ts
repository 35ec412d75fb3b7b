import {mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {diskFailure, errorCode} from '../../lib/files/disk-failure.ts';

/**
Makes the folder that holds a repository's state, and sees to it that it can be written to.

A full disk still lets files be made, so something is written.

@throws `Failure` of kind `missing` that names the cause.
*/
export const makeStateFolder = async (path: string): Promise<void> => {
	const probe = join(path, `.probe-${process.pid}`);
	try {
		await makeWithParents(path);
		await writeFile(probe, 'This file is there to see whether one can be written.\n');
	} catch (error) {
		throw unusable(path, error);
	} finally {
		await rm(probe, {force: true}).catch(() => {});
	}
};

/** Node's own `recursive` tries without end in a file system that makes no folders, such as `/proc`. */
const makeWithParents = async (path: string): Promise<void> => {
	try {
		await makeOne(path);
	} catch (error) {
		if (errorCode(error) !== 'ENOENT' || dirname(path) === path) {
			throw error;
		}

		await makeWithParents(dirname(path));
		await makeOne(path);
	}
};

const makeOne = async (path: string): Promise<void> => {
	try {
		await mkdir(path, {mode: 0o700});
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') {
			throw error;
		}
	}
};

const causes: Readonly<Record<string, string>> = {
	ENOENT: 'no folder can be made there',
	ENOTDIR: 'a file is where a folder should be',
	ELOOP: 'its links lead in a circle',
	ENAMETOOLONG: 'its path is too long',
};

const unusable = (path: string, cause: unknown): Failure => {
	const sentence = `The state folder ${path} can’t be written`;
	const known = causes[errorCode(cause) ?? ''];
	const failure = diskFailure(sentence, cause);
	const message = known === undefined ? failure.message : `${sentence}: ${known}.`;
	const hint = 'DELEGATE_TUI_STATE can name another folder';
	return new Failure('missing', message, {
		hint: failure.hint === undefined ? hint : `${failure.hint} ${hint}.`,
		cause,
	});
};
