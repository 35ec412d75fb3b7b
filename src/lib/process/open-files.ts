import {readdirSync, readlinkSync, realpathSync} from 'node:fs';
import {attempt} from '../attempt.ts';
import {commandOf} from './process-table.ts';

/** A program that has a file open, and the words that it was started with. */
export type Reader = {readonly pid: number; readonly command: string};

/** Returns a program that has one of these files open, as far as this user may see; nothing where there is no `/proc`. */
export const whoHasOpen = (paths: readonly string[]): Reader | undefined => {
	const real = paths.flatMap(path => attempt(() => realpathSync(path)) ?? []);
	const pid = (real.length === 0 ? [] : pids()).find(one =>
		openFiles(one).some(file => real.includes(file)),
	);
	return pid === undefined ? undefined : {pid, command: commandOf(pid)};
};

const pids = (): readonly number[] => namesIn('/proc').map(Number).filter(Number.isInteger);

/** Returns where the open files of a process lead, as its table of them says. */
export const openFiles = (pid: number): readonly string[] =>
	namesIn(`/proc/${pid}/fd`).flatMap(
		name => attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? [],
	);

/** A process that ends, and one of somebody else, has no files for us. */
const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];
