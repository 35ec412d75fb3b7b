import {Failure} from '../failure.ts';
import {withoutStop} from '../without-stop.ts';

/** Why the system refused something, and what a person can do about it. */
export type SystemCause = {readonly cause: string; readonly hint: string};

const causes: Readonly<Record<string, SystemCause>> = {
	ENOSPC: {cause: 'the disk is full', hint: 'Free some space, then start again.'},
	EDQUOT: {cause: 'the disk quota is used up', hint: 'Free some space, then start again.'},
	EIO: {cause: 'the disk reported an I/O error', hint: 'Check the disk before going on.'},
	EROFS: {cause: 'the disk is read-only', hint: 'Make it writable, then start again.'},
	EACCES: {cause: 'permission is denied', hint: 'Check who owns the folder, and its mode.'},
	EPERM: {cause: 'permission is denied', hint: 'Check who owns the folder, and its mode.'},
	EMFILE: {cause: 'this process has too many open files', hint: 'Raise `ulimit -n`.'},
	ENFILE: {cause: 'this machine has too many open files', hint: 'Close some programs.'},
};

/**
Names the true cause of a failed disk operation.

@param sentence what could not be done, without its full stop: "The journal could not be written"
*/
export const diskFailure = (sentence: string, error: unknown): Failure => {
	const known = causeOf(error);
	if (known !== undefined) {
		return new Failure('missing', `${sentence}: ${known.cause}.`, {hint: known.hint, cause: error});
	}

	const message = withoutStop(error instanceof Error ? error.message : String(error));
	return new Failure('internal', `${sentence}: ${message}.`, {cause: error});
};

/** Returns the true cause of a system error that people meet. */
export const causeOf = (error: unknown): SystemCause | undefined => causes[errorCode(error) ?? ''];

/** Returns the code of a system error, such as `ENOENT`. */
export const errorCode = (error: unknown): string | undefined =>
	error instanceof Error && 'code' in error && typeof error.code === 'string'
		? error.code
		: undefined;
