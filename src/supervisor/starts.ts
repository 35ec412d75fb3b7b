import {setTimeout} from 'node:timers/promises';
import {Failure} from '../lib/failure.ts';

/** Where starts of agents wait for their turn. */
export type Starts = {
	/** Settles when a start may be made, in the order in which it was asked for; `staggerMs` lie at the least between it and the next. */
	readonly turn: (staggerMs: number) => Promise<void>;
	/** Lets no more starts be made. */
	readonly close: () => void;
};

export type StartsParts = {
	/** Returns the time in milliseconds. */
	readonly now: () => number;
	/** Returns a number from 0 up to 1. */
	readonly random: () => number;
	readonly pause: (durationMs: number) => Promise<void>;
};

/** The clock and the chance of this machine. */
const real: StartsParts = {
	now: () => performance.now(),
	random: Math.random,
	pause: durationMs => setTimeout(durationMs, undefined, {ref: false}),
};

/** How much longer than asked for it may take to the next start, in milliseconds. */
const shortestMs = 50;
const longestMs = 550;

/**
Creates the queue of the starts.

Agents that all start at once would meet the limits of their models at once, and race each other for the files that their programs share; by chance they drift apart.
*/
export const createStarts = ({now, random, pause}: StartsParts = real): Starts => {
	let freeAt = Number.NEGATIVE_INFINITY;
	let closed = false;
	return {
		turn: async staggerMs => {
			const from = Math.max(now(), freeAt);
			const extraMs = shortestMs + random() * (longestMs - shortestMs);
			freeAt = from + (staggerMs === 0 ? 0 : staggerMs + extraMs);
			const waitMs = from - now();
			if (waitMs > 0) {
				await pause(waitMs);
			}

			if (closed) {
				throw new Failure('refused', 'The supervisor is stopping.');
			}
		},
		close: () => {
			closed = true;
		},
	};
};
