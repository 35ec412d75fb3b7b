import {readFileSync} from 'node:fs';
import {setInterval} from 'node:timers';

/** Returns the memory of processes in MB, what several of them share counted once; as much as they have resident where the system tells no more. */
export const memoryOf = (pids: readonly number[]): number =>
	pids.reduce((sum, pid) => sum + proportionalOf(pid), 0) / 1000;

const proportionalOf = (pid: number): number => {
	try {
		const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
		return Number(kib ?? 0) * 1.024;
	} catch {
		// It is gone.
		return 0;
	}
};

/** Looks again and again at the memory of processes; returns the most that they had, once it is asked to stop. */
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
