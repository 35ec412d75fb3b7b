import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, isAbsolute, join, resolve} from 'node:path';

/** Why a program can't be started. */
export type Absence = 'not found' | 'not allowed';

export type SearchPlace = {
	readonly directory: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Returns why a program that is named as in a shell can't be started there, or nothing when it can. */
export const whyNoProgram = async (
	program: string,
	{directory, environment}: SearchPlace,
): Promise<Absence | undefined> => {
	const folders = program.includes('/')
		? [directory]
		: (environment.PATH ?? '').split(delimiter).map(folder => resolve(directory, folder));
	let absence: Absence | undefined = 'not found';
	for (const folder of folders) {
		absence = better(absence, await absenceAt(resolve(folder, program)));
	}

	return absence;
};

/**
Returns the absolute path of a program on a `PATH`, or nothing where it can't be started.

Relative entries are skipped: they would find what an agent put into the folder we happen to stand in.
*/
export const programPath = async (name: string, path = ''): Promise<string | undefined> => {
	for (const folder of path.split(delimiter).filter(entry => isAbsolute(entry))) {
		const candidate = join(folder, name);
		if ((await absenceAt(candidate)) === undefined) {
			return candidate;
		}
	}

	return undefined;
};

/** One that can be started is better than one that may not be, and that is better than none. */
const better = (one: Absence | undefined, other: Absence | undefined): Absence | undefined =>
	one === undefined || other === undefined ? undefined : one === 'not allowed' ? one : other;

const absenceAt = async (path: string): Promise<Absence | undefined> => {
	const entry = await stat(path).catch(() => undefined);
	if (!entry?.isFile()) {
		return 'not found';
	}

	return access(path, constants.X_OK).then(
		() => undefined,
		() => 'not allowed',
	);
};
