import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import process from 'node:process';
import {attempt} from '../attempt.ts';

/** What the table of processes says of one that runs. */
export type ProcessEntry = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	/** The number of its controlling terminal; 0 when it has none. */
	readonly terminal: number;
	/** Start time in clock ticks since the boot. */
	readonly ticks: number;
	/** The boot and the ticks, good for comparing only. */
	readonly startTime: string;
	readonly isZombie: boolean;
	/** Whether it stands still until somebody lets it go on. */
	readonly isStopped: boolean;
};

/** Returns every process of this machine that runs; none where there is no `/proc`. */
export const listProcesses = (): readonly ProcessEntry[] => {
	const names = attempt(() => readdirSync('/proc')) ?? [];
	const pids = names.map(Number).filter(Number.isInteger);
	return pids.flatMap(pid => readProcess(pid) ?? []).filter(({isZombie}) => !isZombie);
};

/** Reads one process; the fields stand behind its name, which may itself hold spaces and brackets. */
export const readProcess = (pid: number): ProcessEntry | undefined => {
	const text = readText(pid, 'stat');
	if (text === '') {
		return undefined;
	}

	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [state = '', parent, group, session, terminal] = fields;
	const ticks = Number(fields[19]);
	return {
		pid,
		parent: Number(parent),
		group: Number(group),
		session: Number(session),
		terminal: Number(terminal),
		ticks,
		startTime: `${bootId()}-${ticks}`,
		isZombie: 'ZXx'.includes(state),
		isStopped: 'Tt'.includes(state),
	};
};

/**
Returns our own id in the table of processes.

Who was put into a namespace of its own without a table of its own still sees the one outside, where it has another id.
*/
export const ownId = (): number => attempt(() => Number(readlinkSync('/proc/self'))) ?? process.pid;

/** Returns a process and those it comes from, as far as the table of processes tells. */
export const lineOf = (pid: number): readonly number[] => {
	const line: number[] = [];
	for (let next: number | undefined = pid; next !== undefined && next > 0; ) {
		line.push(next);
		next = readProcess(next)?.parent;
	}

	return line;
};

/** Returns the environment that a process was started with, as `NAME=VALUE`; nothing of one that isn't ours. */
export const environmentOf = (pid: number): readonly string[] =>
	readText(pid, 'environ').split('\0');

/** Returns the words that a process was started with, for a person to know it by. */
export const commandOf = (pid: number): string => wordsOf(pid).join(' ').trim();

/** Returns those words one by one, the name of the program first. */
export const wordsOf = (pid: number): readonly string[] =>
	readText(pid, 'cmdline').replace(/\0$/, '').split('\0');

/** Returns the short name of a process. */
export const nameOf = (pid: number): string => readText(pid, 'comm').trim();

/** Returns the terminal of a process, or nothing when it has none; see `tty_nr` in proc(5). */
export const terminalOf = (pid: number): string | undefined => {
	const number = readProcess(pid)?.terminal ?? 0;
	const [major, minor] = [(number >> 8) & 0xfff, (number & 0xff) | ((number >>> 12) & 0xfff00)];
	if (number === 0) {
		return undefined;
	}

	return major === pseudoTerminals ? `/dev/pts/${minor}` : `device ${major}:${minor}`;
};

/** The first major number of pseudo terminals. */
const pseudoTerminals = 136;

/** Returns the folder that a process works in. */
export const folderOf = (pid: number): string | undefined =>
	attempt(() => readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, ''));

/** Returns what is mounted where a process is, a line each; nothing of one that isn't ours. */
export const mountsOf = (pid: number): readonly string[] => readText(pid, 'mountinfo').split('\n');

const readText = (
	pid: number,
	file: 'environ' | 'cmdline' | 'comm' | 'mountinfo' | 'stat',
): string => attempt(() => readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? '';

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
