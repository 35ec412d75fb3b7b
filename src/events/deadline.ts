import {elapsedMs, later} from '../lib/text/duration.ts';
import type {EffectKey} from './effect-key.ts';

/** Names a time that something waits for; each passes once. */
export type Deadline =
	/** The next try of an effect that failed at `since`. */
	| {readonly of: 'retry'; readonly effect: EffectKey; readonly since: Awake}
	/** Most of that time, after which a person is asked while the agent goes on. */
	| {
			readonly of: 'near-limit';
			readonly agent: string;
			readonly timeoutMs: number;
			readonly turn: number;
	  }
	/** The patience with an agent that is told that its time is used up, and says where it stands. */
	| {
			readonly of: 'closing';
			readonly agent: string;
			readonly turn: number;
			readonly since: Awake;
	  }
	/** A turn's share of the time that an agent may work. */
	| {
			readonly of: 'limit';
			readonly agent: string;
			readonly timeoutMs: number;
			readonly turn: number;
	  }
	/** The patience with a turn that said its last word at `since`. */
	| {
			readonly of: 'grace';
			readonly agent: string;
			readonly turn: number;
			readonly since: Awake;
	  }
	/** The patience with a start that began at `since`, and for which a person was asked so often before. */
	| {
			readonly of: 'start';
			readonly agent: string;
			readonly since: Awake;
			readonly asked: number;
	  }
	/** The next try of a turn that failed since its model had trouble. */
	| {readonly of: 'model'; readonly agent: string; readonly turn: number}
	/** The reset of a limit that an agent met; a time of the clock. */
	| {readonly of: 'reset'; readonly agent: string; readonly until: string}
	/** A call that is held open; `seq` is the number of the event by which it asked. */
	| {readonly of: 'listening'; readonly agent: string; readonly seq: number};

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
