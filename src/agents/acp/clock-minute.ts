const minuteMs = 60_000;

/** Clocks are read in several programs; a second later is late enough for all. */
const marginMs = 1000;

/** Returns how long it is until the clock minute of a time is over, in milliseconds; both times as ISO strings. A clock that was set back since makes it no longer than a minute. */
export const untilMinuteAfter = (since: string, now: string): number => {
	const over = (Math.floor(Date.parse(since) / minuteMs) + 1) * minuteMs + marginMs;
	return Math.min(minuteMs + marginMs, Math.max(0, over - Date.parse(now)));
};
