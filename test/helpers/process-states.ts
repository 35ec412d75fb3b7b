import {readFileSync} from 'node:fs';

/** Returns the kernel's state letters of processes; `T` is stopped. */
export const statesOf = (pids: readonly number[]): readonly (string | undefined)[] =>
	pids.map(pid => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
