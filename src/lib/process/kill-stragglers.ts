import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {platform} from 'node:os';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {Failure} from '../failure.ts';
import {requireDescriptors} from './find-program.ts';
import {endInput} from './pipe.ts';
import {
	askPs,
	listProcesses,
	type ProcessEntry,
	processCommand,
	processEnvironment,
	processFolder,
	readProcess,
	readProcessesWith,
} from './process-table.ts';
import {isAlive, type ProcessIdentity, send, settleMs, until} from './processes.ts';

/** Traces by which to find the processes that a command left behind. */
export type Traces = {
	/** `NAME=VALUE` in its environment, which no other process has. */
	readonly mark: string;
	/** A folder in which only the command works, and its start time. */
	readonly workedIn?: {readonly folder: string; readonly since: string};
};

/** A process that could not be killed. */
export type Survivor = ProcessIdentity & {readonly command: string};

/**
Kills the processes that a command left behind, and returns the survivors.

The mark finds processes that left its process group, the folder those that cleaned their environment as well. In the folder only orphans without a terminal and `HOME` are killed, with their children: a person's shell has a parent, and their background programs have `HOME`. Others there without a terminal are returned as survivors. On macOS only the mark counts, and the system's own programs don't show theirs.
*/
export const killStragglers = async (traces: Traces): Promise<readonly Survivor[]> => {
	if (!/^[^=]+=./.test(traces.mark)) {
		throw new Failure('internal', `Killing stragglers needs NAME=VALUE, not "${traces.mark}".`);
	}

	const adopter = traces.workedIn === undefined ? 1 : await orphansParent();
	const find = (): Found => findTraces(traces, adopter);
	for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
		// Look again in each round, even after an empty one: during `exec` a process's environment reads as empty.
		const {own} = find();
		for (const one of own.filter(isAlive)) {
			send(one.pid, signal);
			send(one.pid, 'SIGCONT');
		}

		await until(() => !own.some(isAlive), settleMs);
	}

	const {own, others} = find();
	return [...own, ...others];
};

/** Returns the processes with `NAME=VALUE` in their environment. */
export const listMarked = (mark: string): readonly Survivor[] =>
	platform() === 'linux'
		? listProcesses()
				.filter(({pid}) => pid !== process.pid && processEnvironment(pid).includes(mark))
				.map(named)
		: readProcessesWith(
				mark,
				askPs('-axEww', '-o', 'pid=,lstart=,command='),
				askPs('-axww', '-o', 'pid=,command='),
			).filter(({pid}) => pid !== process.pid);

/** Returns which of the given environment entries any process has; reads all processes once; Linux only. */
export const heldMarks = (marks: readonly string[]): ReadonlySet<string> => {
	const all = new Set(listProcesses().flatMap(({pid}) => processEnvironment(pid)));
	return new Set(marks.filter(mark => all.has(mark)));
};

/** Maximum length of a command, since its arguments may contain a prompt. */
const maximumWords = 200;

const named = ({pid, startTime}: ProcessEntry): Survivor => ({
	pid,
	startTime,
	command: processCommand(pid).slice(0, maximumWords),
});

type Found = {
	/** Certainly started by the command. */
	readonly own: readonly Survivor[];
	/** In the folder, of unknown origin. */
	readonly others: readonly Survivor[];
};

const findTraces = ({mark, workedIn}: Traces, adopter: number): Found => {
	if (platform() !== 'linux') {
		return {own: listMarked(mark), others: []};
	}

	const all = listProcesses().filter(({pid}) => pid !== process.pid);
	const marked = all.filter(({pid}) => processEnvironment(pid).includes(mark));
	const there = workedIn === undefined ? [] : all.filter(entry => isThere(entry, workedIn));
	const own = new Map(marked.map(entry => [entry.pid, entry]));
	// Parents are older than their children, so one pass in start order finds families.
	for (const entry of there.toSorted((one, other) => one.ticks - other.ticks)) {
		const isOrphan = [1, adopter].includes(entry.parent);
		if ((isOrphan && !knowsHome(entry)) || own.has(entry.parent)) {
			own.set(entry.pid, entry);
		}
	}

	const others = there.filter(({pid}) => !own.has(pid));
	return {own: [...own.values()].map(named), others: others.map(named)};
};

const knowsHome = ({pid}: ProcessEntry): boolean =>
	processEnvironment(pid).some(variable => variable.startsWith('HOME='));

const isThere = (
	{pid, terminal, ticks, startTime}: ProcessEntry,
	{folder, since}: {readonly folder: string; readonly since: string},
): boolean => {
	const [boot = '', start] = since.split('-');
	if (terminal !== 0 || !startTime.startsWith(`${boot}-`) || ticks < Number(start)) {
		return false;
	}

	const works = processFolder(pid);
	return works === folder || works?.startsWith(`${folder}/`) === true;
};

let found: Promise<number> | undefined;

/** Returns the process that adopts orphans: 1, or the subreaper of the person's session. Finds it by orphaning a process, once; 1 if that fails. */
export const orphansParent = async (): Promise<number> => {
	try {
		found ??= ask();
		return await found;
	} catch {
		found = undefined;
		return 1;
	}
};

/** Starts an orphan, which ends when our pipe closes. */
const ask = async (): Promise<number> => {
	const script = '{ read -r line; } <&3 & echo $!';
	requireDescriptors(({cause}) => {
		throw new Error(cause);
	});
	const child = spawn('/bin/sh', ['-c', `exec 3<&0; ${script}`], {
		detached: true,
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	const exited = once(child, 'exit');
	const lines = createInterface({input: child.stdout});
	const [line] = await once(lines, 'line');
	await exited;
	const parent = readProcess(Number(line))?.parent;
	endInput(child.stdin);
	lines.close();
	return parent ?? 1;
};
