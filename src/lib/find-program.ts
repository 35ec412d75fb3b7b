import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, resolve} from 'node:path';

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
