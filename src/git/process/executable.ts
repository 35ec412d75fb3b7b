import {Failure} from '../../lib/failure.ts';
import type {SystemCause} from '../../lib/files/reading.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {commandOf} from './result.ts';

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

/** Says that a git was not even started, and why; in a moment it may be otherwise, so the failure is no final one. */
export const unstartable =
	(args: readonly string[]) =>
	({cause, hint}: SystemCause): never => {
		throw new Failure('internal', `${commandOf(args)} can’t be started: ${cause}.`, {hint});
	};
