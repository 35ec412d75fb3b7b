import {constants} from 'node:fs';
import {access} from 'node:fs/promises';
import {delimiter, isAbsolute, join} from 'node:path';
import {Failure} from '../../lib/failure.ts';

let found: Promise<string> | undefined;

/**
Returns the absolute path of git, looked up on the `PATH` once.

Relative entries of the `PATH` are skipped: they would find a `./git` that an agent put into the folder we happen to stand in.
*/
export const gitExecutable = (): Promise<string> => {
	found ??= search(process.env.PATH ?? '');
	return found;
};

const search = async (searchPath: string): Promise<string> => {
	for (const folder of searchPath.split(delimiter).filter(entry => isAbsolute(entry))) {
		const candidate = join(folder, 'git');
		if (await isExecutable(candidate)) {
			return candidate;
		}
	}

	throw new Failure('missing', 'Git was not found on the PATH.', {
		hint: 'Install git 2.38 or newer.',
	});
};

const isExecutable = async (path: string): Promise<boolean> => {
	try {
		await access(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};
