import {type Awake, awakeFor} from '../../src/events/deadline.ts';

/** Returns the milliseconds from one time of a session to another; NaN if one of them is missing. */
export const waitedMs = (from: Awake | undefined, to: Awake | undefined): number =>
	from === undefined || to === undefined ? Number.NaN : awakeFor(from, to);
