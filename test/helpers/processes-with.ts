import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {partingMs} from './marked-processes.ts';

/** Returns the processes among whose words is a piece of text, this one excepted; only Linux tells. */
export const processesWith = (text: string): readonly number[] =>
	readdirSync('/proc')
		.map(Number)
		.filter(pid => Number.isInteger(pid) && pid !== process.pid && wordsOf(pid).includes(text));

/** Waits until there is none, and returns those that are left when the time is over. */
export const afterAllWith = async (text: string): Promise<readonly number[]> => {
	const end = performance.now() + partingMs;
	// Nothing announces the end of a process that is not our child.
	while (processesWith(text).length > 0 && performance.now() < end) {
		await wait(20);
	}

	return processesWith(text);
};

/** A zombie has no words, so it counts as gone. */
const wordsOf = (pid: number): string => {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
};
