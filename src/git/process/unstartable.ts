import {Failure} from '../../lib/failure.ts';
import type {SystemCause} from '../../lib/files/disk-failure.ts';
import {commandOf} from './result.ts';

/** Says that a git was not even started, and why; in a moment it may be otherwise, so the failure is no final one. */
export const unstartable =
	(args: readonly string[]) =>
	({cause, hint}: SystemCause): never => {
		throw new Failure('internal', `${commandOf(args)} can’t be started: ${cause}.`, {hint});
	};
