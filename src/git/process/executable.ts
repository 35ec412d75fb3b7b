import {Failure} from '../../lib/failure.ts';
import type {SystemCause} from '../../lib/files/reading.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {commandOf} from './result.ts';

let found: string | undefined;

export const gitExecutable = (): string => {
	found ??= programPath('git', process.env.PATH);
	if (found === undefined) {
		throw new Failure('missing', 'Git was not found on the PATH.', {
			hint: 'Install git 2.38 or newer.',
		});
	}

	return found;
};

/** Throws a failure to start git. It is not final: a retry may find free file descriptors. */
export const unstartable =
	(args: readonly string[]) =>
	({cause, hint}: SystemCause): never => {
		throw new Failure('internal', `${commandOf(args)} can’t be started: ${cause}.`, {hint});
	};
