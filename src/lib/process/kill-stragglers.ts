import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {Failure} from '../failure.ts';
import {requireDescriptors} from './find-program.ts';
import {
	commandOf,
	environmentOf,
	folderOf,
	listProcesses,
	type ProcessEntry,
	readProcess,
} from './process-table.ts';
import {isAlive, type ProcessIdentity, send, settleMs, until} from './processes.ts';

/** By what the processes are known that a command may have left behind. */
export type Traces = {
	/** `NAME=VALUE` that was in its environment when it started; no other process may have it. */
	readonly mark: string;
	/** A folder that only it has work in, and when it was started, as its identity tells. */
	readonly workedIn?: {readonly folder: string; readonly since: string};
};

/** A process that could not be ended, with the words that it was started with. */
export type Survivor = ProcessIdentity & {readonly command: string};

/**
Ends what a command left behind and returns what survives of it.

The mark catches what left its process group, the folder what cleaned its environment as well. In the folder only orphans are ended that have neither a terminal nor a home in their environment, and what they started: a shell of the person's own has a parent, and what they sent to the background, an editor or a terminal multiplexer, knows their home. What is in there otherwise is returned as a survivor, but for what has a terminal. It only works on Linux; elsewhere it finds nothing.
*/
export const killStragglers = async (traces: Traces): Promise<readonly Survivor[]> => {
	if (!/^[^=]+=./.test(traces.mark)) {
		throw new Failure('internal', `Killing stragglers needs NAME=VALUE, not "${traces.mark}".`);
	}

	const adopter = traces.workedIn === undefined ? 1 : await orphansParent();
	const find = (): Found => findTraces(traces, adopter);
	for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
		const {own} = find();
		for (const one of own.filter(isAlive)) {
			send(one.pid, signal);
			send(one.pid, 'SIGCONT');
		}

		await until(() => !own.some(isAlive), settleMs);
	}

	const {own, others} = find();
	return [...own, ...others].map(named);
};

/** Returns the processes whose environment held `NAME=VALUE` when they started. */
export const listMarked = (mark: string): readonly Survivor[] =>
	listProcesses()
		.filter(({pid}) => pid !== process.pid && environmentOf(pid).includes(mark))
		.map(named);

/** A prompt may be among the words of a command; a person knows it by the first of them. */
const maximumWords = 200;

const named = ({pid, startTime}: ProcessEntry): Survivor => ({
	pid,
	startTime,
	command: commandOf(pid).slice(0, maximumWords),
});

type Found = {
	/** What is certainly of the command. */
	readonly own: readonly ProcessEntry[];
	/** What is in the folder for reasons that nobody can tell. */
	readonly others: readonly ProcessEntry[];
};

const findTraces = ({mark, workedIn}: Traces, adopter: number): Found => {
	const all = listProcesses().filter(({pid}) => pid !== process.pid);
	const marked = all.filter(({pid}) => environmentOf(pid).includes(mark));
	const there = workedIn === undefined ? [] : all.filter(entry => isThere(entry, workedIn));
	const own = new Map(marked.map(entry => [entry.pid, entry]));
	// Parents are older than their children, so one pass in the order of their start finds families.
	for (const entry of there.toSorted((one, other) => one.ticks - other.ticks)) {
		const isOrphan = [1, adopter].includes(entry.parent);
		if ((isOrphan && !knowsHome(entry)) || own.has(entry.parent)) {
			own.set(entry.pid, entry);
		}
	}

	return {own: [...own.values()], others: there.filter(({pid}) => !own.has(pid))};
};

const knowsHome = ({pid}: ProcessEntry): boolean =>
	environmentOf(pid).some(variable => variable.startsWith('HOME='));

const isThere = (
	{pid, terminal, ticks, startTime}: ProcessEntry,
	{folder, since}: {readonly folder: string; readonly since: string},
): boolean => {
	const [boot = '', start] = since.split('-');
	const works = folderOf(pid);
	return (
		terminal === 0 &&
		startTime.startsWith(`${boot}-`) &&
		ticks >= Number(start) &&
		works !== undefined &&
		(works === folder || works.startsWith(`${folder}/`))
	);
};

let found: Promise<number> | undefined;

/**
Returns the process that adopts those whose parent has ended: 1, or a manager of the person's session.

Nothing names it, so one is orphaned and asked, once; where that can't be done now, 1 stands in for it.
*/
export const orphansParent = async (): Promise<number> => {
	try {
		found ??= ask();
		return await found;
	} catch {
		found = undefined;
		return 1;
	}
};

/** The orphan reads our pipe, so it is gone when that closes. */
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
	child.stdin.end();
	lines.close();
	return parent ?? 1;
};
