import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join, resolve} from 'node:path';

/** Why a program can't be started. */
export type Absence = 'not found' | 'not allowed';

export type SearchContext = {
	readonly directory: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Returns why a program that is named as in a shell can't be started there, or nothing when it can. */
export const whyNoProgram = (
	program: string,
	{directory, environment}: SearchContext,
): Absence | undefined => {
	const folders = program.includes('/')
		? [directory]
		: (environment.PATH ?? '').split(delimiter).map(folder => resolve(directory, folder));
	let absence: Absence | undefined = 'not found';
	for (const folder of folders) {
		absence = better(absence, absenceAt(resolve(folder, program)));
	}

	return absence;
};

/**
Returns the absolute path of a program on a `PATH`, or nothing where it can't be started.

Relative entries are skipped: they would find what an agent put into the folder we happen to stand in.
*/
export const programPath = (name: string, path = ''): string | undefined =>
	path
		.split(delimiter)
		.filter(entry => isAbsolute(entry))
		.map(folder => join(folder, name))
		.find(candidate => absenceAt(candidate) === undefined);

/** One that can be started is better than one that may not be, and that is better than none. */
const better = (one: Absence | undefined, other: Absence | undefined): Absence | undefined =>
	one === undefined || other === undefined ? undefined : one === 'not allowed' ? one : other;

/** A few looks at the disk take less time than a turn of the event loop would. */
const absenceAt = (path: string): Absence | undefined => {
	try {
		if (!statSync(path).isFile()) {
			return 'not found';
		}
	} catch {
		return 'not found';
	}

	try {
		accessSync(path, constants.X_OK);
		return undefined;
	} catch {
		return 'not allowed';
	}
};
