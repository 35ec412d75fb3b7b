const minuteMs = 60_000;

/** Margin for the clocks of several programs, in milliseconds. */
const marginMs = 1000;

/** Returns the time until the clock minute of `since` is over, in milliseconds; both times as ISO strings. At most a minute, even if the clock was set back since. */
export const untilMinuteAfter = (since: string, now: string): number => {
	const over = (Math.floor(Date.parse(since) / minuteMs) + 1) * minuteMs + marginMs;
	return Math.min(minuteMs + marginMs, Math.max(0, over - Date.parse(now)));
};
