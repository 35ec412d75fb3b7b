import {readFile} from 'node:fs/promises';

/**
Returns the maximum resident memory of a process, in MiB; undefined if the system has no `/proc`.

Not `maxRSS`: on Linux a child inherits that of its parent.
*/
export const peakMemory = async (pid: number): Promise<number | undefined> => {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
	return kib === undefined ? undefined : Number(kib) / 1024;
};
