import {existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync} from 'node:fs';
import {release, totalmem} from 'node:os';
import {dirname, join} from 'node:path';
import {attempt} from '../failure.ts';
import {defined, omit} from '../values.ts';
import {inBackground} from './find-program.ts';
import {runProgram} from './run-program.ts';

/** What a command and all that it starts may use at most, in bytes but for processes. */
export type Limits = {
	readonly memory?: number;
	readonly processes?: number;
	/** Of a single file. */
	readonly file?: number;
};

type Contained = {
	readonly level: 'box' | 'namespace' | 'groups';
	readonly prefix: readonly string[];
	readonly ownNetwork?: readonly string[];
	/** Folder in which control groups can be made. */
	readonly controlGroups?: string;
};

/** Keeps a command and all that it starts within limits. */
export type Limited = {
	/** Words before the command, and those that give it a network of its own besides. */
	readonly words: Pick<Contained, 'prefix' | 'ownNetwork'>;
	/** Changes the limits for what runs, where that can be done. */
	readonly change: (limits: Limits) => void;
	/** Returns what the kernel has refused more of since the start. */
	readonly refused: () => readonly ('memory' | 'processes')[];
	/** Removes its control group, once it has ended. */
	readonly release: () => void;
};

/**
Keeps a command within limits, by a control group that counts all that it starts, or else by limits of each single process.

@param name Names the control group
*/
export const limited = (contained: Contained, name: string, limits: Limits): Limited =>
	inControlGroup(contained, name, limits) ?? {
		words: around(contained, yielding(), byProcess(contained, limits)),
		change: () => {},
		refused: () => [],
		release: () => {},
	};

const around = (
	{prefix, ownNetwork}: Contained,
	before: readonly string[],
	after: readonly string[],
): Limited['words'] => {
	const words = (own: readonly string[]) => [...before, ...own, ...after];
	return {prefix: words(prefix), ...defined({ownNetwork: ownNetwork && words(ownNetwork)})};
};

const groupsBegin = 'delegate-tui-';

const inControlGroup = (
	contained: Contained,
	name: string,
	limits: Limits,
): Limited | undefined => {
	if (contained.controlGroups === undefined) {
		return undefined;
	}

	const group = join(contained.controlGroups, `${groupsBegin}${process.pid}-${name}`);
	const file = (name: string) => join(group, name);
	const change = ({memory, processes}: Limits): void => {
		writeFileSync(file('memory.max'), amountText(memory));
		// Else what is over the limit would go on in swap; without swap there is no such file.
		attempt(() => writeFileSync(file('memory.swap.max'), memory === undefined ? 'max' : '0'));
		writeFileSync(file('pids.max'), amountText(processes && processes * threads));
	};
	const isMade = attempt(() => {
		attempt(() => mkdirSync(group));
		change(limits);
		// Between groups the niceness of processes counts for nothing.
		attempt(() => writeFileSync(file('cpu.weight'), '10'));
		return true;
	});
	const counted = (name: string, event: string): number =>
		Number(new RegExp(`^${event} (\\d+)$`, 'm').exec(textOf(file(name)))?.[1] ?? 0);
	const before = {
		memory: counted('memory.events', 'oom_kill'),
		processes: counted('pids.events', 'max'),
	};
	return isMade
		? {
				words: around(
					contained,
					yielding(group),
					byProcess({level: 'groups'}, omit(limits, 'memory')),
				),
				change: next => void attempt(() => change(next)),
				refused: () => [
					...(counted('memory.events', 'oom_kill') > before.memory ? (['memory'] as const) : []),
					...(counted('pids.events', 'max') > before.processes ? (['processes'] as const) : []),
				],
				release: () => void attempt(() => rmdirSync(group)),
			}
		: undefined;
};

const amountText = (amount = Number.POSITIVE_INFINITY): string =>
	Number.isFinite(amount) ? `${Math.floor(amount)}` : 'max';

const textOf = (path: string): string => attempt(() => readFileSync(path, 'utf8')) ?? '';

/** Returns the words that start a command behind all that people wait for, also where Linux shares the processor among sessions of processes first, and in a control group, which a process joins before it starts any other. */
const yielding = (group = '/nowhere'): readonly string[] =>
	inBackground(['/bin/sh', '-c', beginning, group]);

const joins = 'echo $$ > "$0/cgroup.procs"';

const beginning = `{ echo 10 > /proc/self/autogroup; ${joins}; } 2> /dev/null
exec "$@"`;

/** Returns the words that limit each process by itself: its data, the files that it writes, and where only its own namespace counts, how many there are. */
const byProcess = (
	{level}: Pick<Contained, 'level'>,
	{memory = Number.POSITIVE_INFINITY, processes, file}: Limits,
): readonly string[] => {
	const set = [
		// A program that reserves more than there is, as sanitizers do, is to run where nobody named a limit.
		...(memory < machineMemory() ? [`ulimit -d ${Math.ceil((memory + reserved) / 1024)}`] : []),
		...(file === undefined ? [] : [`ulimit -f ${Math.ceil(file / 512)}`]),
		...(processes !== undefined && level === 'box' && countsByNamespace()
			? [`ulimit -u ${processes * threads} || ulimit -p ${processes * threads}`]
			: []),
	];
	return set.length === 0
		? []
		: ['/bin/sh', '-c', `{ ${set.join('; ')}; } 2> /dev/null; exec "$@"`, 'limits'];
};

/** How many threads a process may have, which the kernel counts as it counts processes; one of Node.js has eleven. */
const threads = 16;

/** Returns how much memory there is for all programs, in bytes. */
export const machineMemory = (): number =>
	Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** What a program may reserve and not use, in bytes; Node.js reserves half a GiB. */
const reserved = 2 ** 30;

/** Whether the kernel counts the processes of a user for each namespace of users, as it does since 5.14; root’s are not limited. */
const countsByNamespace = (): boolean => {
	const [major = 0, minor = 0] = release().split('.').map(Number);
	return process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
};

/** Finds where control groups can be made, by making one and joining it: beside that of this process, which can't hold any while processes are in it, or in the root of them; removes what a killed process of ours left there. */
export const findControlGroups = async (): Promise<string | undefined> => {
	const own = /^0::(\/.*)$/m.exec(textOf('/proc/self/cgroup'))?.[1];
	const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(textOf('/proc/self/mountinfo'))?.[1];
	if (own === undefined || mount === undefined) {
		return undefined;
	}

	const folder = join(mount, own === '/' ? own : dirname(own));
	const trial = join(folder, `${groupsBegin}${process.pid}`);
	const isMade = attempt(() => {
		mkdirSync(trial);
		return ['memory.max', 'pids.max'].every(name => textOf(join(trial, name)) !== '');
	});
	// It runs in the session of this process, whose priority is none of its business.
	const joining = ['-c', `${joins} && cat /proc/self/cgroup`, trial];
	const joined = isMade
		? await runProgram('/bin/sh', joining, {env: process.env}).catch(() => undefined)
		: undefined;
	for (const name of attempt(() => readdirSync(folder)) ?? []) {
		const maker = name.startsWith(groupsBegin)
			? Number.parseInt(name.slice(groupsBegin.length), 10)
			: 0;
		if (maker === process.pid || (maker > 0 && !existsSync(`/proc/${maker}`))) {
			attempt(() => rmdirSync(join(folder, name)));
		}
	}

	return joined?.stdout.includes(`/${groupsBegin}${process.pid}\n`) ? folder : undefined;
};
