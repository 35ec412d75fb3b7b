import {readFileSync} from 'node:fs';
import {setInterval} from 'node:timers';

/** Returns the memory of processes in MB, with shared memory counted once; their resident size if the system has no such data. */
export const memoryOf = (pids: readonly number[]): number =>
	pids.reduce((sum, pid) => sum + proportionalOf(pid), 0) / 1000;

const proportionalOf = (pid: number): number => {
	try {
		const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
		return Number(kib ?? 0) * 1.024;
	} catch {
		// The process has exited.
		return 0;
	}
};

/** Polls the memory of processes; the returned function stops that and returns the maximum. */
export const watchMemory = (pids: () => readonly number[]): (() => number) => {
	let most = 0;
	const look = () => {
		most = Math.max(most, memoryOf(pids()));
	};
	const timer = setInterval(look, 50);
	return () => {
		clearInterval(timer);
		look();
		return most;
	};
};
