import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {partingMs} from './marked-processes.ts';

/** Returns the processes, other than this one, whose command line contains a text; Linux only. */
export const processesWith = (text: string): readonly number[] =>
	readdirSync('/proc')
		.map(Number)
		.filter(pid => Number.isInteger(pid) && pid !== process.pid && wordsOf(pid).includes(text));

/** Waits until there is none, and returns the remaining ones after the time limit. */
export const afterAllWith = async (text: string): Promise<readonly number[]> => {
	const end = performance.now() + partingMs;
	// Nothing announces the exit of a process that is not our child.
	while (processesWith(text).length > 0 && performance.now() < end) {
		await wait(20);
	}

	return processesWith(text);
};

/** Returns the command line of a process; a zombie has none, so it counts as gone. */
const wordsOf = (pid: number): string => {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
};
