import {setTimeout as wait} from 'node:timers/promises';

/**
Calls a function at multiples of `everyMs`, without keeping the process alive; returns a function that stops it.

A process with many such timers wakes up for all of them at once: wakeups are most of the cost of an idle process.
*/
export const atMultiples = (everyMs: number, call: () => void): (() => void) => {
	let timer: NodeJS.Timeout | undefined;
	const arm = (): void => {
		timer = setTimeout(() => {
			arm();
			call();
		}, untilMultiple(everyMs)).unref();
	};

	arm();
	return () => clearTimeout(timer);
};

/** Returns the time until the next multiple of `everyMs`, in milliseconds; a timer that fired a fraction too early waits for the following one. */
export const untilMultiple = (everyMs: number): number => {
	const leftMs = everyMs - (performance.now() % everyMs);
	return leftMs < earlyMs ? leftMs + everyMs : leftMs;
};

const earlyMs = 2;

/** Returns whether a promise settles within a time, in milliseconds; it rejects if the promise does. */
export const settles = (work: Promise<unknown>, limitMs: number): Promise<boolean> =>
	Promise.race([work.then(() => true), wait(limitMs, false, {ref: false})]);
