import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, readlinkSync, realpathSync} from 'node:fs';
import {platform} from 'node:os';
import {basename, dirname, join} from 'node:path';
import process from 'node:process';
import {attempt} from '../failure.ts';

/** A process in `/proc`. */
export type ProcessEntry = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	/** Number of its controlling terminal; 0 for none. */
	readonly terminal: number;
	/** In clock ticks since the boot. */
	readonly ticks: number;
	/** Processor time, in milliseconds, including its children that have ended. */
	readonly cpuMs: number;
	/** Boot and ticks, for comparison only. */
	readonly startTime: string;
	readonly isZombie: boolean;
	readonly isStopped: boolean;
};

/** Lists all running processes; none on a system without `/proc`. */
export const listProcesses = (): readonly ProcessEntry[] => {
	const names = attempt(() => readdirSync('/proc')) ?? [];
	const pids = names.map(Number).filter(Number.isInteger);
	return pids.flatMap(pid => readProcess(pid) ?? []).filter(({isZombie}) => !isZombie);
};

/** Reads `/proc/PID/stat`; its fields follow the name, which may contain spaces and parentheses. */
export const readProcess = (pid: number): ProcessEntry | undefined => {
	const text = readText(pid, 'stat');
	if (text === '') {
		return undefined;
	}

	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [state = '', parent, group, session, terminal] = fields;
	const ticks = Number(fields[19]);
	const cpuTicks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
	return {
		pid,
		parent: Number(parent),
		group: Number(group),
		session: Number(session),
		terminal: Number(terminal),
		ticks,
		cpuMs: cpuTicks * tickMs,
		startTime: `${bootId()}-${ticks}`,
		isZombie: 'ZXx'.includes(state),
		isStopped: 'Tt'.includes(state),
	};
};

/** The kernel reports times in hundredths of a second, whatever its own unit is; see `USER_HZ` in proc(5). */
const tickMs = 10;

/** Returns our PID in `/proc`: in a new PID namespace without its own `/proc` it differs from `process.pid`. */
export const ownId = (): number => attempt(() => Number(readlinkSync('/proc/self'))) ?? process.pid;

/** Returns a process and its ancestors. */
export const ancestryOf = (pid: number): readonly number[] => {
	const line: number[] = [];
	for (let next: number | undefined = pid; next !== undefined && next > 0; ) {
		line.push(next);
		next = readProcess(next)?.parent;
	}

	return line;
};

/** Returns the initial environment of a process as `NAME=VALUE`, or the current one of this process, which needs no `/proc`; empty for another user's. */
export const processEnvironment = (pid: number): readonly string[] =>
	pid === ownId()
		? Object.entries(process.env).map(([name, value]) => `${name}=${value}`)
		: readText(pid, 'environ').split('\0');

/** Returns the command line of a process. */
export const processCommand = (pid: number): string => wordsOf(pid).join(' ').trim();

const wordsOf = (pid: number): readonly string[] =>
	readText(pid, 'cmdline').replace(/\0$/, '').split('\0');

export const processName = (pid: number): string => readText(pid, 'comm').trim();

/** Returns the file name of the program that a process runs; the process's own name may be that of a thread, as in Node.js. */
export const processProgram = (pid: number): string =>
	attempt(() => basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '')) ??
	processName(pid);

/** Returns the controlling terminal of a process; see `tty_nr` in proc(5). */
export const terminalOf = (pid: number): string | undefined => {
	const number = readProcess(pid)?.terminal ?? 0;
	const [major, minor] = [(number >> 8) & 0xfff, (number & 0xff) | ((number >>> 12) & 0xfff00)];
	if (number === 0) {
		return undefined;
	}

	return major === pseudoTerminals ? `/dev/pts/${minor}` : `device ${major}:${minor}`;
};

/** Major number of pseudo terminals. */
const pseudoTerminals = 136;

/** Returns the working directory of a process. */
export const processFolder = (pid: number): string | undefined =>
	attempt(() => readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, ''));

/** Returns `mountinfo` of a process, by line; nothing for another user's. */
export const mountsOf = (pid: number): readonly string[] => readText(pid, 'mountinfo').split('\n');

const readText = (
	pid: number,
	file:
		| ('environ' | 'cmdline' | 'comm' | 'mountinfo' | 'smaps_rollup' | 'stat' | 'status')
		| ('syscall' | 'wchan'),
): string => attempt(() => readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? '';

let knownBoot: string | undefined;

/** Identifies this boot; read only once, since a list of all processes needs it for each. */
const bootId = (): string => {
	knownBoot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
	return knownBoot;
};

export type TreeProcess = {
	readonly pid: number;
	readonly parent: number;
	/** The command line. */
	readonly words: readonly string[];
};

/** Returns processes and their descendants, parents first, without daemons. */
export const processTree = (isHead: (one: TreeProcess) => boolean): readonly TreeProcess[] =>
	treeIn(allProcesses(), isHead);

const treeIn = <One extends Pick<TreeProcess, 'pid' | 'parent'>>(
	all: readonly One[],
	isHead: (one: One) => boolean,
): readonly One[] => {
	const tree = all.filter(isHead);
	for (const member of tree) {
		tree.push(...all.filter(one => one.parent === member.pid && !tree.includes(one)));
	}

	return tree;
};

/** Resource usage of a process and its descendants. */
export type Usage = {
	/** Processor time since they started, in milliseconds. */
	readonly cpuMs: number;
	/** In bytes; memory that they share counts for each. */
	readonly memory: number;
	readonly processes: number;
};

/** Returns the usage of each of some processes, with its descendants and its process group; nothing for one that is gone. */
export const usageOf = (
	pids: readonly number[],
	memoryIn = memoryOf,
): ReadonlyMap<number, Usage> => {
	const all = listUsed();
	return new Map(
		pids.flatMap(pid => {
			const tree = treeIn(all, one => one.pid === pid || one.group === pid);
			const memory = tree.map(one => one.memory ?? memoryIn(one.pid));
			return tree.length === 0
				? []
				: [
						[
							pid,
							{
								cpuMs: sumOf(tree.map(({cpuMs}) => cpuMs)),
								memory: sumOf(memory),
								processes: tree.length,
							},
						] as const,
					];
		}),
	);
};

const sumOf = (numbers: readonly number[]): number =>
	numbers.reduce((sum, number) => sum + number, 0);

type Used = Pick<ProcessEntry, 'pid' | 'parent' | 'group' | 'cpuMs'> & {readonly memory?: number};

/** Returns the resident memory of a process, in bytes. */
const memoryOf = (pid: number): number =>
	Number(/^VmRSS:\s+(\d+) kB/m.exec(readText(pid, 'status'))?.[1] ?? 0) * 1024;

/** Returns a process's share of resident memory, in bytes: shared pages are divided among their processes. Linux computes that anew each time. */
export const shareOf = (pid: number): number => {
	const share = /^Pss:\s+(\d+) kB/m.exec(readText(pid, 'smaps_rollup'))?.[1];
	return share === undefined ? memoryOf(pid) : Number(share) * 1024;
};

/** Lists all processes, even without `/proc`. */
export const listUsed = (): readonly Used[] =>
	platform() === 'linux' ? listProcesses() : readUsed(askPs('-axo', 'pid=,ppid=,pgid=,rss=,time='));

/** Runs `ps` in the C locale, so that its times have a fixed format. */
export const askPs = (...words: readonly string[]): string =>
	execFileSync('ps', words, {
		env: {...process.env, LC_ALL: 'C', TZ: 'UTC'},
		...{encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26},
	});

/**
Returns the processes that have `NAME=VALUE` in their environment, based on two outputs of `ps` about all processes, with and without environments after their words.

macOS doesn't show the environment of its own programs, such as `/bin/sh`.
*/
export const readProcessesWith = (
	mark: string,
	withVariables: string,
	without: string,
): readonly {readonly pid: number; readonly startTime: string; readonly command: string}[] => {
	const commands = new Map(
		[...without.matchAll(/^ *(\d+) (.*)$/gm)].map(([, pid, command = '']) => [pid, command.trim()]),
	);
	const has = (text: string): boolean => ` ${text} `.includes(` ${mark} `);
	return [...withVariables.matchAll(/^ *(\d+) +((?:\S+ +){4}\S+) +(.*)$/gm)].flatMap(
		([, pid, start = '', text = '']) => {
			const command = commands.get(pid);
			return command === undefined || has(command) || !has(text)
				? []
				: [{pid: Number(pid), startTime: start.split(/ +/).join(' '), command}];
		},
	);
};

/** Parses lines of `ps`: three ids, resident memory in kibibytes, and processor time as `minutes:seconds`, maybe with hours and days. */
export const readUsed = (output: string): readonly Used[] =>
	output.split('\n').flatMap(line => {
		const [pid, parent, group, rss, time] = line.trim().split(/\s+/);
		return time === undefined
			? []
			: [
					{
						...{pid: Number(pid), parent: Number(parent), group: Number(group)},
						cpuMs: timeMs(time),
						memory: Number(rss) * 1024,
					},
				];
	});

const timeMs = (time: string): number => {
	const [clock = '', days = '0'] = time.split('-').toReversed();
	const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
	return (Number(days) * 86_400 + seconds) * 1000;
};

/** Returns the innermost process of the last branch. */
export const deepestOf = (tree: readonly TreeProcess[]): TreeProcess | undefined =>
	tree.slice(1).findLast(({pid}) => !tree.some(({parent}) => parent === pid));

export const shortCommandOf = ({words}: TreeProcess): string => words.join(' ').slice(0, 80);

/** Lists all processes with their command lines. */
export const allProcesses = (): readonly TreeProcess[] =>
	platform() === 'linux'
		? listProcesses().map(({pid, parent}) => ({pid, parent, words: wordsOf(pid)}))
		: fromPs();

const fromPs = (): readonly TreeProcess[] =>
	askPs('-axo', 'pid=,ppid=,command=')
		.split('\n')
		.map(line => line.trim().split(/\s+/))
		.map(([pid, parent, ...words]) => ({pid: Number(pid), parent: Number(parent), words}));

/** Returns our PID namespace and boot, for comparison only; `undefined` if the system has none. */
export const ownNamespace = (): {readonly boot: string; readonly id: string} | undefined =>
	attempt(() => ({
		boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
		id: readlinkSync('/proc/self/ns/pid'),
	}));

/** Returns whether our PID namespace was created inside a running system, as by `unshare` and `bwrap`, and not with its own system, like a container's: then `/proc` of the outer one is still mounted below ours, or alone. */
export const isNested = (): boolean => {
	const tables = mountsOf(ownId()).filter(line => line.split(' ')[4] === '/proc');
	return tables.length > 1 || ownId() !== process.pid;
};

export type FileHolder = {readonly pid: number; readonly command: string};

/** Returns a process that has one of these files open, or a removed file that had the path; `undefined` without `/proc`. */
export const whoHasOpen = (
	paths: readonly string[],
	which: 'standing' | 'removed' = 'standing',
): FileHolder | undefined => {
	const real = paths.flatMap(path => attempt(() => pathInTable(path, which)) ?? []);
	const pid = (real.length === 0 ? [] : pids()).find(one =>
		openFiles(one).some(file => real.includes(file)),
	);
	return pid === undefined ? undefined : {pid, command: processCommand(pid)};
};

/** Returns a process that has a socket open, starting with the newest; `undefined` if it belongs to another user, or without `/proc`. */
export const whoHasSocket = (inode: string): number | undefined =>
	pids().findLast(pid => openFiles(pid).includes(`socket:[${inode}]`));

/** Returns the path of a file in `/proc`, which appends a remark for a removed file. */
const pathInTable = (path: string, which: 'standing' | 'removed'): string =>
	which === 'standing'
		? realpathSync(path)
		: `${join(realpathSync(dirname(path)), basename(path))} (deleted)`;

const pids = (): readonly number[] => namesIn('/proc').map(Number).filter(Number.isInteger);

/** Returns the paths of a process's open files. */
export const openFiles = (pid: number): readonly string[] =>
	namesIn(`/proc/${pid}/fd`).flatMap(
		name => attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? [],
	);

/** Returns whether a process waits in `open` for the other end of a named pipe, or in `read` for bytes of one; false where the kernel doesn't tell in which of its functions a process sleeps. */
export const waitsForNamedPipe = (pid: number): boolean => {
	const kernelFunction = readText(pid, 'wchan');
	if (/^(?:wait_for_partner|fifo_open)/.test(kernelFunction)) {
		return true;
	}

	// The descriptor is the first argument; an unnamed pipe has no path.
	const descriptor = Number(readText(pid, 'syscall').split(' ')[1]);
	return (
		/pipe_(?:read|wait)/.test(kernelFunction) &&
		(attempt(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? '').startsWith('/')
	);
};

const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];
