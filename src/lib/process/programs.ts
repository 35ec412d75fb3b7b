import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {platform} from 'node:os';
import {basename} from 'node:path';

/** A program that runs on this machine. */
export type RunningProgram = {
	readonly pid: number;
	/** How it was called, its name first. */
	readonly words: readonly string[];
	/** The folder it works in, where the system tells. */
	readonly folder?: string;
};

/**
Returns everything that runs under a name, such as `git`, as far as this user may see it.

It is for deciding whether somebody may still be at work; nothing is ever ended on its word.
*/
export const runningPrograms = (name: string): readonly RunningProgram[] => {
	const all = platform() === 'linux' ? fromProc() : fromPs();
	return all.filter(({words}) => basename(words[0] ?? '') === name);
};

const fromProc = (): readonly RunningProgram[] =>
	readdirSync('/proc')
		.map(Number)
		.filter(Number.isInteger)
		.flatMap(pid => readProgram(pid) ?? []);

/** One that ends while it is looked at is none. */
const readProgram = (pid: number): RunningProgram | undefined => {
	try {
		const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
		return {pid, words, ...folderOf(pid)};
	} catch {
		return undefined;
	}
};

const folderOf = (pid: number): {folder?: string} => {
	try {
		return {folder: readlinkSync(`/proc/${pid}/cwd`)};
	} catch {
		return {};
	}
};

const fromPs = (): readonly RunningProgram[] =>
	execFileSync('ps', ['-axo', 'pid=,command='], {encoding: 'utf8'})
		.split('\n')
		.map(line => line.trim().split(/\s+/))
		.map(([pid = '', ...words]) => ({pid: Number(pid), words}));
