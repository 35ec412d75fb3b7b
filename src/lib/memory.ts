import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {atMultiples} from './timers.ts';

/** Releases unused memory at intervals while the process is quiet; returns a function that stops it. */
export const keepMemorySmall = (): (() => void) => {
	let used = process.cpuUsage();
	let least = 0;
	return atMultiples(everyMs, () => {
		const {user, system} = process.cpuUsage(used);
		used = process.cpuUsage();
		const isQuiet = (user + system) / 1000 < quietShare * everyMs;
		if (isQuiet && heldBytes() > Math.max(worthCollecting, 1.5 * least)) {
			shrinkHeap();
			least = heldBytes();
		}
	});
};

const everyMs = 10_000;

const quietShare = 0.05;

const worthCollecting = 96 * 2 ** 20;

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
