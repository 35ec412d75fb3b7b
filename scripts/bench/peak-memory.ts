import {readFile} from 'node:fs/promises';

/**
The most memory that a process has had resident, in MiB; undefined where the system has no `/proc`.

Not `maxRSS`: on Linux a program that is started inherits that of the process that started it.
*/
export const peakMemory = async (pid: number): Promise<number | undefined> => {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
	return kib === undefined ? undefined : Number(kib) / 1024;
};
