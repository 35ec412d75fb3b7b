import {existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync} from 'node:fs';
import {release, totalmem} from 'node:os';
import {dirname, join} from 'node:path';
import {attempt} from '../failure.ts';
import {defined, omit} from '../values.ts';
import {inBackground} from './find-program.ts';
import {runProgram} from './run-program.ts';

/** Resource limits of a command and its descendants: bytes, and a number of processes. */
export type Limits = {
	readonly memory?: number;
	readonly processes?: number;
	/** Maximum size of a single file. */
	readonly file?: number;
};

type Contained = {
	readonly level: 'box' | 'namespace' | 'groups';
	readonly prefix: readonly string[];
	readonly ownNetwork?: readonly string[];
	/** Folder in which control groups can be created. */
	readonly controlGroups?: string;
};

/** Limits of a command and its descendants. */
export type Limited = {
	/** Command prefix, and the one that also gives the command its own network. */
	readonly words: Pick<Contained, 'prefix' | 'ownNetwork'>;
	/** Changes the limits of running processes, if possible. */
	readonly change: (limits: Limits) => void;
	/** Returns the resources that the kernel has refused to increase since the start. */
	readonly refused: () => readonly ('memory' | 'processes')[];
	/** Removes the control group, once all its processes have ended. */
	readonly release: () => void;
};

/**
Limits a command, with a control group that counts all of its descendants, or else with limits of each process.

@param name Name of the control group
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
		// Otherwise memory over the limit would be swapped; without swap there is no such file.
		attempt(() => writeFileSync(file('memory.swap.max'), memory === undefined ? 'max' : '0'));
		writeFileSync(file('pids.max'), amountText(processes && processes * threads));
	};
	const isMade = attempt(() => {
		attempt(() => mkdirSync(group));
		change(limits);
		// Niceness has no effect between groups.
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

/** Returns a command prefix with low priority, even if Linux schedules by session (autogroup), that joins a control group before it starts any process. */
const yielding = (group = '/nowhere'): readonly string[] =>
	inBackground(['/bin/sh', '-c', beginning, group]);

const joins = 'echo $$ > "$0/cgroup.procs"';

const beginning = `{ echo 10 > /proc/self/autogroup; ${joins}; } 2> /dev/null
exec "$@"`;

/** Returns a command prefix that limits each process: its data, the files that it writes, and the number of processes if only its own user namespace counts. */
const byProcess = (
	{level}: Pick<Contained, 'level'>,
	{memory = Number.POSITIVE_INFINITY, processes, file}: Limits,
): readonly string[] => {
	const set = [
		// Without a given limit, programs that reserve more memory than exists, as sanitizers do, must still run.
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

/** Number of threads per process; the kernel counts threads as processes, and Node.js has eleven. */
const threads = 16;

/** Returns the memory for all programs, in bytes. */
export const machineMemory = (): number =>
	Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** Memory that a program may reserve without using it, in bytes; Node.js reserves half a GiB. */
const reserved = 2 ** 30;

/** Returns whether the kernel counts a user's processes per user namespace, as it does since 5.14; root's are not limited. */
const countsByNamespace = (): boolean => {
	const [major = 0, minor = 0] = release().split('.').map(Number);
	return process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
};

/** Finds a folder for control groups, by creating one and joining it: beside that of this process, which can't contain groups while it contains processes, or in the root. Removes the groups of a killed process of ours. */
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
	// It runs in the session of this process, whose priority must not change.
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
