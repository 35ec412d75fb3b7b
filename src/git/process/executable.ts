import {Failure} from '../../lib/failure.ts';
import {programPath} from '../../lib/process/find-program.ts';

let found: string | undefined;

/** Returns the absolute path of git, looked up on the `PATH` once. */
export const gitExecutable = (): string => {
	found ??= programPath('git', process.env.PATH);
	if (found === undefined) {
		throw new Failure('missing', 'Git was not found on the PATH.', {
			hint: 'Install git 2.38 or newer.',
		});
	}

	return found;
};
