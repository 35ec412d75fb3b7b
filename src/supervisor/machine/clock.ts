import {awakeMs} from '../../events/awake.ts';
import type {State} from '../../state/state.ts';

/** The time of a session, beside the clock. */
export type SessionClock = {
	/** Returns what the session's own time is, in milliseconds since 1970. */
	readonly awakeMs: () => number;
	/** Returns how far the clock is ahead of it when it shows that, in milliseconds. */
	readonly aheadMs: (at: string) => number;
};

type Parts = {
	readonly now: string;
	readonly recordedMs: number;
	readonly steadyMs: () => number;
};

/** A clock is set right by less than this all the time, in milliseconds; nothing is waited for so exactly. */
const slackMs = 2000;

/**
Goes on with a session's own time from where its last event left it, or a record later than that; a new session's begins with the clock.

`steadyMs` are milliseconds since some moment; they pass whatever happens to the clock, but on Linux not while the machine sleeps.
*/
export const sessionClock = (
	{seq, awake, aheadMs}: Pick<State, 'seq' | 'awake' | 'aheadMs'>,
	{now, recordedMs, steadyMs}: Parts,
): SessionClock => {
	const begun = (seq === 0 ? Date.parse(now) : Math.max(awakeMs(awake), recordedMs)) - steadyMs();
	const ownMs = (): number => begun + steadyMs();
	let known = aheadMs;
	return {
		awakeMs: ownMs,
		aheadMs: at => {
			const found = Math.round(Date.parse(at) - ownMs());
			known = Math.abs(found - known) < slackMs ? known : found;
			return known;
		},
	};
};
