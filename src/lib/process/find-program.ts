import {accessSync, closeSync, constants, openSync, statSync} from 'node:fs';
import {devNull} from 'node:os';
import {delimiter, isAbsolute, join, resolve} from 'node:path';
import {causeOf, errorCode, type SystemCause} from '../files/reading.ts';

/** Reason why a program can't be started. */
export type Absence = 'not found' | 'not allowed';

export type SearchContext = {
	readonly directory: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Returns why a program, named as in a shell, can't be started; `undefined` if it can. */
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

/** Returns the absolute path of a program in a `PATH`; `undefined` if it can't be started. Relative entries are skipped: an agent may have put a program into our cwd. */
export const programPath = (name: string, path = ''): string | undefined =>
	path
		.split(delimiter)
		.filter(entry => isAbsolute(entry))
		.map(folder => join(folder, name))
		.find(candidate => absenceAt(candidate) === undefined);

/** Returns a command prefix with the lowest priority: the program gets the processor only if no other needs it. If the system doesn't support that, the words stay unchanged. */
export const inBackground = (
	words: readonly string[],
	path = process.env.PATH,
): readonly string[] => {
	const nice = programPath('nice', path);
	return nice === undefined ? words : [nice, '-n', '10', ...words];
};

const better = (one: Absence | undefined, other: Absence | undefined): Absence | undefined =>
	one === undefined || other === undefined ? undefined : one === 'not allowed' ? one : other;

/** Checks a path synchronously, which is faster than a turn of the event loop. */
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

/** Number of file descriptors that a spawn takes: three pipes, two for errors, and some for files that are opened meanwhile. */
const startTakes = 12;

/**
Checks just before a spawn that enough file descriptors are free; `otherwise` throws.

Node.js leaks two descriptors of a failed spawn.
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
