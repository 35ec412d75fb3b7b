/** The clock as it is believed, beside a measure of time that nobody can set. */
export type Clock = {
	/** Returns how far the clock has jumped since it was last believed, in milliseconds, and believes it. */
	readonly jumpMs: () => number;
	/** Returns what time it is by the clock as last believed, in milliseconds since 1970. */
	readonly nowMs: () => number;
};

export type ClockParts = {
	/** The clock of the machine, ISO 8601. */
	readonly now: () => string;
	/** Milliseconds since some moment; they pass whatever happens to the clock. */
	readonly steadyMs: () => number;
	/** When something last happened, ISO 8601: a clock that shows less was set back since. */
	readonly since: string;
};

/** A clock is set right by less than this all the time, in milliseconds; that is no jump. */
const slackMs = 2000;

/** Creates the watch over the clock: whoever waits by times must be told of its jumps, or waits too long, or not long enough. */
export const watchClock = ({now, steadyMs, since}: ClockParts): Clock => {
	const offset = (at: string): number => Date.parse(at) - steadyMs();
	let believed = Math.max(offset(now()), offset(since));
	return {
		jumpMs: () => {
			const found = offset(now());
			const byMs = Math.round(found - believed);
			if (Math.abs(byMs) < slackMs) {
				return 0;
			}

			believed = found;
			return byMs;
		},
		nowMs: () => believed + steadyMs(),
	};
};
