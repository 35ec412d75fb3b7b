import type {Moment} from './zoned-time.ts';

/** Returns the given or the current time, with the time zone of this machine. */
export const thisMoment = (now = new Date().toISOString()): Moment => ({
	now,
	// Finding the zone loads Intl's tables, a tenth of the time of a short command, and only texts about limits need it.
	get zone() {
		return Intl.DateTimeFormat().resolvedOptions().timeZone;
	},
});
