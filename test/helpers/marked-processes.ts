import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';

/** A process that runs, with the words it was started with. */
export type FoundProcess = {readonly pid: number; readonly command: string};

/**
Returns the processes that have a piece of text in the environment they were started with.

Only Linux tells that; elsewhere none is found.
*/
export const markedProcesses = (mark: string): readonly FoundProcess[] =>
	processIds().flatMap(pid => {
		const isMarked = pid !== process.pid && textOf(pid, 'environ').includes(mark);
		return isMarked ? [{pid, command: textOf(pid, 'cmdline').replaceAll('\0', ' ').trim()}] : [];
	});

/** How long processes may take to be gone once there is nothing left to do, in milliseconds: a command that follows a session looks every three seconds whether anybody goes on with it, and a busy machine takes its time. */
export const partingMs = 60_000;

/** Waits until none of them is left, and returns those that are when the time is over. */
export const afterTheLast = async (
	mark: string,
	{limitMs = partingMs}: {readonly limitMs?: number} = {},
): Promise<readonly FoundProcess[]> => {
	const end = performance.now() + limitMs;
	let left = markedProcesses(mark);
	// Nothing announces the end of a process that is not our child.
	while (left.length > 0 && performance.now() < end) {
		await wait(20);
		left = markedProcesses(mark);
	}

	return left;
};

const processIds = (): readonly number[] => {
	try {
		return readdirSync('/proc').map(Number).filter(Number.isInteger);
	} catch {
		return [];
	}
};

/** A zombie has an empty environment, so it counts as gone. */
const textOf = (pid: number, file: 'environ' | 'cmdline'): string => {
	try {
		return readFileSync(`/proc/${pid}/${file}`, 'utf8');
	} catch {
		return '';
	}
};
