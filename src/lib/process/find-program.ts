import {accessSync, closeSync, constants, openSync, statSync} from 'node:fs';
import {devNull} from 'node:os';
import {delimiter, isAbsolute, join, resolve} from 'node:path';
import {causeOf, errorCode, type SystemCause} from '../files/reading.ts';

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

/** How many descriptors the start of a process takes: three pipes with two ends each, two that tell how it went, and some for files that are opened meanwhile. */
const startTakes = 12;

/**
Looks whether a process can be started; where too few descriptors are left, `otherwise` says so.

Such a start must not even be tried: Node.js keeps two descriptors of one that fails half way for good, and tells it by an event that `simple-git` hears too late, which would end this process. To be called just before.
*/
export const requireDescriptors = (otherwise: (lack: SystemCause) => never): void => {
	const held: number[] = [];
	try {
		while (held.length < startTakes) {
			held.push(openSync(devNull, 'r'));
		}
	} catch (error) {
		const lack = causeOf(error);
		if (lack !== undefined && ['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')) {
			otherwise(lack);
		}
	} finally {
		for (const descriptor of held) {
			closeSync(descriptor);
		}
	}
};
