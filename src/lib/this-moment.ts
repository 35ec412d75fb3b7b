import type {Moment} from './zoned-time.ts';

/** Returns a time, which is what the clock of this machine shows unless it is given, with the zone that it is set to. */
export const thisMoment = (now = new Date().toISOString()): Moment => ({
	now,
	// To find the zone loads the tables of Intl, a tenth of the time of a short command, and only limits are told by it.
	get zone() {
		return Intl.DateTimeFormat().resolvedOptions().timeZone;
	},
});
