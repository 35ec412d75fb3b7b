import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';

/** A running process, with its command line. */
export type FoundProcess = {readonly pid: number; readonly command: string};

/**
Returns the processes whose initial environment contains a text.

Only Linux shows that; elsewhere the list is empty.
*/
export const markedProcesses = (mark: string): readonly FoundProcess[] =>
	processIds().flatMap(pid => {
		const isMarked = pid !== process.pid && textOf(pid, 'environ').includes(mark);
		return isMarked ? [{pid, command: textOf(pid, 'cmdline').replaceAll('\0', ' ').trim()}] : [];
	});

/** Time limit for processes to exit after the end of their work, in milliseconds: a command that follows a session looks every three seconds for a supervisor, and a busy machine takes longer. */
export const partingMs = 60_000;

/** Waits until none of them is left, and returns the remaining ones after the time limit. */
export const afterTheLast = async (
	mark: string,
	{limitMs = partingMs}: {readonly limitMs?: number} = {},
): Promise<readonly FoundProcess[]> => {
	const end = performance.now() + limitMs;
	let left = markedProcesses(mark);
	// Nothing announces the exit of a process that is not our child.
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

/** Returns a file of a process; a zombie has an empty environment, so it counts as gone. */
const textOf = (pid: number, file: 'environ' | 'cmdline'): string => {
	try {
		return readFileSync(`/proc/${pid}/${file}`, 'utf8');
	} catch {
		return '';
	}
};
