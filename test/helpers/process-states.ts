import {readFileSync} from 'node:fs';

/** Returns the letters by which the kernel tells what processes are at; `T` is stopped. */
export const statesOf = (pids: readonly number[]): readonly (string | undefined)[] =>
	pids.map(pid => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
