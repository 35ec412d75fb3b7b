import type {Moment} from './zoned-time.ts';

/** Returns a time, which is what the clock of this machine shows unless it is given, with the zone that it is set to. */
export const thisMoment = (now = new Date().toISOString()): Moment => ({
	now,
	zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
