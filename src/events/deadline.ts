import {elapsedMs, later} from '../lib/text/duration.ts';
import type {EffectKey} from './effect-key.ts';

/** Key of a deadline; each passes once. */
export type Deadline =
	/** Next try of an effect that failed at `since`. */
	| {readonly of: 'retry'; readonly effect: EffectKey; readonly since: Awake}
	| ({readonly agent: string} & AgentDeadline);

type AgentDeadline =
	/** Most of the agent's time has passed, so a person is asked while the agent continues. */
	| {readonly of: 'near-limit'; readonly timeoutMs: number; readonly turn: number}
	/** Time for an agent to report its status after it was told that its time is up. */
	| {readonly of: 'closing'; readonly turn: number; readonly since: Awake}
	/** A turn's share of the agent's working time. */
	| {readonly of: 'limit'; readonly timeoutMs: number; readonly turn: number}
	/** Time for a turn to end after its last words at `since`. */
	| {readonly of: 'grace'; readonly turn: number; readonly since: Awake}
	/** Time for a start that began at `since`, after so many questions to a person about it. */
	| {readonly of: 'start'; readonly since: Awake; readonly asked: number}
	/** Next try of a turn that failed because of its model. */
	| {readonly of: 'model'; readonly turn: number}
	/** Reset of a limit that an agent met, in wall-clock time. */
	| {readonly of: 'reset'; readonly until: string}
	/** End of a call that is held open; `seq` is the number of the event with which it asked. */
	| {readonly of: 'listening'; readonly seq: number};

/**
A session time.

It passes while a supervisor runs on a machine that is awake, regardless of the wall clock. All waits use it, and only waits. It is stored in the form of a wall-clock time, so that session times sort in order, but it is no string to the compiler: display and comparisons with the wall clock go through `clockAt`.
*/
export type Awake = {readonly [ofSession]: true};

declare const ofSession: unique symbol;

/** Returns the session time for a wall-clock time that is `aheadMs` ahead of it. */
export const awakeAt = (at: string, aheadMs: number): Awake => own(moved(at, -aheadMs));

/** Returns the wall-clock time for a session time, with the current difference. */
export const clockAt = (awake: Awake, {aheadMs}: {readonly aheadMs: number}): string =>
	moved(textOf(awake), aheadMs);

/** Returns the session time so many milliseconds after another. */
export const awakeLater = (awake: Awake, ms: number): Awake => own(later(textOf(awake), ms));

/** Returns the awake time between two session times, in milliseconds. */
export const awakeFor = (from: Awake, to: Awake): number => elapsedMs(textOf(from), textOf(to));

/** Returns a session time in milliseconds since 1970. */
export const awakeMs = (awake: Awake): number => Date.parse(textOf(awake));

const moved = (at: string, byMs: number): string => (byMs === 0 ? at : later(at, byMs));

const own = (text: string): Awake => text as unknown as Awake;

const textOf = (awake: Awake): string => awake as unknown as string;
