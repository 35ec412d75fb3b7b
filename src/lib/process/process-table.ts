import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, readlinkSync, realpathSync} from 'node:fs';
import {platform} from 'node:os';
import {basename, dirname, join} from 'node:path';
import process from 'node:process';
import {attempt} from '../failure.ts';

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
const wordsOf = (pid: number): readonly string[] =>
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

/** A process and who started it. */
export type TreeProcess = {
	readonly pid: number;
	readonly parent: number;
	/** How it was called, its name first. */
	readonly words: readonly string[];
};

/**
Returns the processes that are meant, and all that they have started: parents first.

What has left the tree, as a daemon does, is not in it.
*/
export const processTree = (isHead: (one: TreeProcess) => boolean): readonly TreeProcess[] => {
	const all = allProcesses();
	const tree = all.filter(isHead);
	for (const member of tree) {
		tree.push(...all.filter(one => one.parent === member.pid && !tree.includes(one)));
	}

	return tree;
};

/** Returns the member that the others wait for: the last of the line. */
export const deepestOf = (tree: readonly TreeProcess[]): TreeProcess | undefined =>
	tree.slice(1).findLast(({pid}) => !tree.some(({parent}) => parent === pid));

/** Returns the beginning of the words that a process was started with, for a person to know it by. */
export const shortCommandOf = ({words}: TreeProcess): string => words.join(' ').slice(0, 80);

/** Returns everything that runs on this machine, as far as this user may see it. */
export const allProcesses = (): readonly TreeProcess[] =>
	platform() === 'linux'
		? listProcesses().map(({pid, parent}) => ({pid, parent, words: wordsOf(pid)}))
		: fromPs();

const fromPs = (): readonly TreeProcess[] =>
	execFileSync('ps', ['-axo', 'pid=,ppid=,command='], {encoding: 'utf8'})
		.split('\n')
		.map(line => line.trim().split(/\s+/))
		.map(([pid, parent, ...words]) => ({pid: Number(pid), parent: Number(parent), words}));

/** Returns the namespace of processes that we are in, and the boot it belongs to; nothing where the system has none. Good for comparing only. */
export const ownNamespace = (): {readonly boot: string; readonly id: string} | undefined =>
	attempt(() => ({
		boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
		id: readlinkSync('/proc/self/ns/pid'),
	}));

/**
Whether our namespace of processes was made inside of a system that runs, as `unshare` and `bwrap` do, and not with one of its own, as a container is.

The table of processes of the one outside is then still mounted, if below ours, or is the only one there.
*/
export const isNested = (): boolean => {
	const tables = mountsOf(ownId()).filter(line => line.split(' ')[4] === '/proc');
	return tables.length > 1 || ownId() !== process.pid;
};

/** A program that has a file open, and the words that it was started with. */
export type Reader = {readonly pid: number; readonly command: string};

/** Returns a program that has one of these files open, or one that was removed from its path, as far as this user may see; nothing where there is no `/proc`. */
export const whoHasOpen = (
	paths: readonly string[],
	which: 'standing' | 'removed' = 'standing',
): Reader | undefined => {
	const real = paths.flatMap(path => attempt(() => pathInTable(path, which)) ?? []);
	const pid = (real.length === 0 ? [] : pids()).find(one =>
		openFiles(one).some(file => real.includes(file)),
	);
	return pid === undefined ? undefined : {pid, command: commandOf(pid)};
};

/** The system goes on naming the path that a removed file had, with a remark. */
const pathInTable = (path: string, which: 'standing' | 'removed'): string =>
	which === 'standing'
		? realpathSync(path)
		: `${join(realpathSync(dirname(path)), basename(path))} (deleted)`;

const pids = (): readonly number[] => namesIn('/proc').map(Number).filter(Number.isInteger);

/** Returns where the open files of a process lead, as its table of them says. */
export const openFiles = (pid: number): readonly string[] =>
	namesIn(`/proc/${pid}/fd`).flatMap(
		name => attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? [],
	);

/** A process that ends, and one of somebody else, has no files for us. */
const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];
