import {resolve} from 'node:path';
import {programPath, whyNoProgram} from '../../../lib/process/find-program.ts';

/** Returns the file that a command names, on the `PATH` or by its own path; nothing where it can't be started. */
export const executablePath = (
	program: string,
	environment: Readonly<Record<string, string | undefined>>,
): string | undefined => {
	if (!program.includes('/')) {
		return programPath(program, environment.PATH);
	}

	const directory = process.cwd();
	const absence = whyNoProgram(program, {directory, environment});
	return absence === undefined ? resolve(directory, program) : undefined;
};
