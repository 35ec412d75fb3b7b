import type {Body} from '../events/event.ts';
import type {DiskLevel} from '../events/kinds/machine-event.ts';
import type {State} from '../state/state.ts';
import type {Effect} from './effects/effect.ts';

/** Free and total space of a disk, in bytes. */
export type Space = {readonly free: number; readonly total: number};

/** Free space at a time, in bytes and milliseconds. */
export type DiskLook = {readonly free: number; readonly atMs: number};

const mebibyte = 2 ** 20;

/** Free space below which a person is warned. */
const lowBytes = 1024 * mebibyte;
const lowShare = 0.05;

/** Free space below which all agents are paused: the rest is for the journal, snapshots and the person. */
const fullBytes = 256 * mebibyte;

/** Factor by which free space must exceed a threshold again, so that a temporary file doesn't flip the level. */
const margin = 1.1;

export const diskLevel = ({free, total}: Space, before: DiskLevel): DiskLevel => {
	const isBelow = (bytes: number, wasBelow: boolean): boolean =>
		free < bytes * (wasBelow ? margin : 1);
	if (isBelow(fullBytes, before === 'full')) {
		return 'full';
	}

	const wasLow = before !== 'enough';
	return isBelow(lowBytes, wasLow) || isBelow(total * lowShare, wasLow) ? 'low' : 'enough';
};

/** Longest and shortest time between two looks at a disk, in milliseconds. */
const calmMs = 5000;
const leastMs = 250;

/**
Returns the time until the next look at a disk, in milliseconds.

A fast writer can fill it between two looks: at the last rate, at most half of the space above the lowest threshold may go until the next look.
*/
export const leaveAloneMs = (now: DiskLook | undefined, before: DiskLook | undefined): number => {
	if (now === undefined || before === undefined || now.free >= before.free) {
		return calmMs;
	}

	const rate = (before.free - now.free) / (now.atMs - before.atMs);
	return Math.min(calmMs, Math.max(leastMs, (now.free - fullBytes) / 2 / rate));
};

/** Returns the effects that a disk has room for: on a full one, only those that a session needs to end. */
export const affordable = (state: State, effects: readonly Effect[]): readonly Effect[] =>
	state.disk?.level === 'full' ? effects.filter(effect => thrifty[effect.do]) : effects;

/** A snapshot writes, but without it the work would be lost; and stopping a session waits for its clean-up. */
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

/** Returns the events that pause turns while the disk is full, and resume them afterwards. */
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
