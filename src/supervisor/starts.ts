import {setTimeout} from 'node:timers/promises';
import {Failure} from '../lib/failure.ts';

/** Where starts of agents wait for their turn. */
export type Starts = {
	/**
	Settles when a start may be made, in the order in which it was asked for.

	`staggerMs` is what a person wants to lie between two of them at the least; with 0 none of them waits.
	*/
	readonly turn: (staggerMs?: number) => Promise<void>;
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

/** How long the first start waits for the machine to settle, in milliseconds. */
const settlingMs = 500;

/** What chance adds before each start, in milliseconds. */
const shortestMs = 50;
const longestMs = 550;

/**
Creates the queue of the starts.

Agents that all start at once would meet the limits of their models at once, and race each other for the files that their programs share; by chance they drift apart. One that starts long after the others has nobody to drift apart from, and waits for nothing.
*/
export const createStarts = ({now, random, pause}: StartsParts = real): Starts => {
	let lastAt: number | undefined;
	let closed = false;
	return {
		turn: async staggerMs => {
			const at = staggerMs === 0 ? now() : nextAt(staggerMs);
			lastAt = Math.max(at, lastAt ?? at);
			const waitMs = at - now();
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

	function nextAt(staggerMs = 0): number {
		const chanceMs = shortestMs + random() * (longestMs - shortestMs);
		return lastAt === undefined
			? now() + settlingMs + chanceMs
			: Math.max(now(), lastAt + staggerMs + chanceMs);
	}
};
