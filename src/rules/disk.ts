import type {Body} from '../events/event.ts';
import type {DiskLevel} from '../events/kinds/machine-event.ts';
import type {State} from '../state/state.ts';
import type {Effect} from './effects/effect.ts';

/** A disk, in bytes. */
export type Space = {readonly free: number; readonly total: number};

/** How much room was seen at a moment, in bytes and milliseconds. */
export type DiskLook = {readonly free: number; readonly atMs: number};

const mebibyte = 2 ** 20;

/** Below this a person is warned. */
const lowBytes = 1024 * mebibyte;
const lowShare = 0.05;

/** Below this all that a session runs is paused: what is left is for the journal, snapshots and the person. */
const fullBytes = 256 * mebibyte;

/** Space must come back by so much more, so that a file that comes and goes changes nothing. */
const margin = 1.1;

/** Returns how much room there is for work, from the space and from what was said of it before. */
export const diskLevel = ({free, total}: Space, before: DiskLevel): DiskLevel => {
	const isBelow = (bytes: number, wasBelow: boolean): boolean =>
		free < bytes * (wasBelow ? margin : 1);
	if (isBelow(fullBytes, before === 'full')) {
		return 'full';
	}

	const wasLow = before !== 'enough';
	return isBelow(lowBytes, wasLow) || isBelow(total * lowShare, wasLow) ? 'low' : 'enough';
};

/** A disk may be left alone for so long at the most and must be at the least, in milliseconds. */
const calmMs = 5000;
const leastMs = 250;

/**
Returns how long a disk may be left alone, in milliseconds.

A program that writes fast fills it between two looks, so at the rate of the last time at most half of what is left above the last threshold may go until the next.
*/
export const leaveAloneMs = (now: DiskLook | undefined, before: DiskLook | undefined): number => {
	if (now === undefined || before === undefined || now.free >= before.free) {
		return calmMs;
	}

	const rate = (before.free - now.free) / (now.atMs - before.atMs);
	return Math.min(calmMs, Math.max(leastMs, (now.free - fullBytes) / 2 / rate));
};

/** Returns what may be done on a disk as it is: when it is full, nothing begins that writes more than what an end takes. */
export const affordable = (state: State, effects: readonly Effect[]): readonly Effect[] =>
	state.disk?.level === 'full' ? effects.filter(effect => thrifty[effect.do]) : effects;

/** A snapshot writes, but what it keeps would be lost without it; and a session that is stopped waits for its clearing. */
const thrifty: Readonly<Record<Effect['do'], boolean>> = {
	prepare: false,
	rework: false,
	restore: false,
	'bring-back': false,
	start: false,
	reply: true,
	'end-turn': true,
	snapshot: true,
	'run-command': false,
	'open-resolution': false,
	build: false,
	verify: false,
	'check-part': false,
	'check-outcome': false,
	'check-snapshot': false,
	publish: false,
	'clear-up': true,
};

/** Returns what is to be told of turns: that they stand still with all else while there is no space, or go on once there is. */
export const pauses = (state: State): readonly Body[] =>
	state.agents.flatMap(({id, turn}): readonly Body[] => {
		const isFull = state.disk?.level === 'full';
		return turn.phase !== 'live' || isFull === (turn.pausedAt !== undefined)
			? []
			: [
					{
						...{kind: 'turn.changed', agent: id, turn: turn.number},
						to: isFull ? 'paused' : 'going',
					},
				];
	});
