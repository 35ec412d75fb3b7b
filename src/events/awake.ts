import {elapsedMs, later} from '../lib/time.ts';

/**
A time of the session's own.

It passes while somebody supervises the session on a machine that is awake, whatever the clock is set to. All that waits is counted in it, and nothing else is a time of it. It is kept in the form of a time of the clock, so that times of it sort as they follow each other, and is no string to the compiler: what is shown, and what is compared with a clock, goes through `clockAt`.
*/
export type Awake = {readonly [ofSession]: true};

declare const ofSession: unique symbol;

/** Returns the session's own time when the clock showed that, which was so far ahead of it. */
export const awakeAt = (at: string, aheadMs: number): Awake => own(moved(at, -aheadMs));

/** Returns when the clock shows a time of the session, as far ahead as it is now. */
export const clockAt = (awake: Awake, {aheadMs}: {readonly aheadMs: number}): string =>
	moved(textOf(awake), aheadMs);

/** Returns the session's own time so many milliseconds after another. */
export const awakeLater = (awake: Awake, ms: number): Awake => own(later(textOf(awake), ms));

/** Returns how long the session was awake from one of its times to another, in milliseconds. */
export const awakeFor = (from: Awake, to: Awake): number => elapsedMs(textOf(from), textOf(to));

/** Returns what a time of the session is in milliseconds since 1970. */
export const awakeMs = (awake: Awake): number => Date.parse(textOf(awake));

const moved = (at: string, byMs: number): string => (byMs === 0 ? at : later(at, byMs));

const own = (text: string): Awake => text as unknown as Awake;

const textOf = (awake: Awake): string => awake as unknown as string;
