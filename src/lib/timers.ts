/**
Calls again and again, at multiples of `everyMs`, and keeps no program running for that; returns how to stop.

A process with many such timers wakes up for all of them at once, which is most of what a quiet one costs.
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

/** Returns how long it is until the next multiple of `everyMs`, in milliseconds; a timer that rang too early by a fraction waits for the one after. */
export const untilMultiple = (everyMs: number): number => {
	const leftMs = everyMs - (performance.now() % everyMs);
	return leftMs < earlyMs ? leftMs + everyMs : leftMs;
};

const earlyMs = 2;
