import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {atMultiples} from './timers.ts';

/** Makes V8 collect garbage early, and releases unused memory at intervals while the process is quiet; returns a function that stops the intervals. */
export const keepMemorySmall = (): (() => void) => {
	collectEarly();
	let used = process.cpuUsage();
	let least = 0;
	const release = () => {
		if (heldBytes() > Math.max(worthCollecting, 1.5 * least)) {
			shrinkHeap();
			least = heldBytes();
		}
	};
	release();
	return atMultiples(everyMs, () => {
		const {user, system} = process.cpuUsage(used);
		used = process.cpuUsage();
		const isQuiet = (user + system) / 1000 < quietShare * everyMs;
		if (isQuiet) {
			release();
		}
	});
};

const everyMs = 10_000;

const quietShare = 0.05;

const worthCollecting = 40 * 2 ** 20;

/**
Stops V8's young generation from growing, and lets the old one grow by at most 30 % between two collections. Otherwise a listing of 100,000 files makes the young generation grow by 130 MB, and endless output the old one by 60 MB.

V8's flags are part of the key of its code cache, so call this after the program has loaded the code that it starts with.
*/
export const collectEarly = (): void => {
	setFlagsFromString('--semi-space-growth-factor=1');
	setFlagsFromString('--heap-growing-percent=30');
};

const heldBytes = (): number => {
	const {heapTotal, external} = process.memoryUsage();
	return heapTotal + external;
};

/** Makes V8 collect all garbage and release the memory, which it otherwise keeps while nothing is allocated. */
export const shrinkHeap = (): void => {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc')();
	setFlagsFromString('--no-expose-gc');
};
