import {spawn as spawnProgram} from 'node:child_process';
import {once} from 'node:events';
import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Readable, Writable} from 'node:stream';
import type {TurnEnd} from '../events/event.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {errorCode, isThere, type SystemCause} from '../lib/files/reading.ts';
import {type Containment, endThroughContainment} from '../lib/process/containment.ts';
import {type Absence, requireDescriptors, whyNoProgram} from '../lib/process/find-program.ts';
import type {Freezer} from '../lib/process/freezer.ts';
import {killStragglers} from '../lib/process/kill-stragglers.ts';
import {identityOf, type ProcessIdentity} from '../lib/process/processes.ts';
import {defined} from '../lib/values.ts';
import {keepStream, type TurnOutcome} from './turn.ts';

export type Spawn = {
	readonly command: readonly string[];
	readonly directory: string;
	/** The whole environment of the process. */
	readonly environment: Readonly<Record<string, string>>;
	/** File for its stderr. */
	readonly complaints: string;
	/** Environment variable that only processes of this agent have. */
	readonly mark: string;
	/** Namespace or process group that contains all its child processes. */
	readonly containment: Containment;
	/** Freezer that stops it while the disk is full. */
	readonly freezer?: Freezer;
	/** Shell command that installs its program, if known. */
	readonly install?: string;
};

/** The process of an agent, leader of its own process group. */
export type SpawnedAgent = ProcessIdentity & {
	readonly stdin: Writable;
	readonly stdout: Readable;
	/** Resolves when the process itself has ended. */
	readonly exited: Promise<TurnEnd>;
	/** Waits for its end and ends its remaining processes, so that its worktree can't change; then waits for `reading`, the rest of its output. */
	readonly cleared: (reading: Promise<unknown>) => Promise<TurnOutcome>;
	/** Sends SIGTERM to all its processes, and SIGKILL if they don't end within `graceMs`. */
	readonly end: (graceMs: number) => Promise<void>;
};

/** Time between SIGTERM and SIGKILL, in milliseconds. */
export const killDelayMs = 5000;

/** Starts the program of an agent; rejects with a `Failure` if it can't be started. */
export const spawnAgent = async (spawn: Spawn): Promise<SpawnedAgent> => {
	await requireProgram(spawn);
	const {containment} = spawn;
	await mkdir(dirname(spawn.complaints), {recursive: true});
	requireDescriptors(unstartable(spawn));
	const child = start(spawn);
	if (child.pid === undefined) {
		const [error] = await once(child, 'error');
		throw notStarted(spawn, error);
	}

	const identity = identityOf(child.pid);
	const complained = keepComplaints(child.stderr, spawn.complaints);
	const exited = new Promise<TurnEnd>(resolve => {
		child.once('exit', (code, signal) => {
			resolve(endOf(code, signal));
		});
	});
	spawn.freezer?.hold(identity, exited);
	return {
		...identity,
		stdin: child.stdin,
		stdout: child.stdout,
		exited,
		cleared: async reading => {
			const end = await exited;
			await endThroughContainment(containment, identity, killDelayMs);
			const survivors = await leftOf(spawn, identity);
			const [lastError] = await drained(child, Promise.all([complained, reading]));
			return defined({end, survivors, lastError});
		},
		end: async graceMs => {
			await endThroughContainment(containment, identity, graceMs);
		},
	};
};

const start = (spawn: Spawn) => {
	const {command, directory: cwd, environment: env, containment} = spawn;
	const [program = '', ...words] = [...containment.prefix, ...command];
	try {
		return spawnProgram(program, words, {cwd, env, detached: true});
	} catch (error) {
		throw notStarted(spawn, error);
	}
};

/** Time for which an escaped process may keep our pipes open after the agent is gone, in milliseconds. */
const drainMs = 2000;

/** Drains the pipes, but doesn't wait for a process that keeps them open. */
const drained = async <T>(
	{stdout, stderr}: {stdout: Readable; stderr: Readable},
	reading: Promise<T>,
): Promise<T> => {
	const timer = setTimeout(() => {
		stdout.destroy();
		stderr.destroy();
	}, drainMs);
	try {
		return await reading;
	} finally {
		clearTimeout(timer);
	}
};

/** Kills remaining processes; a namespace leaves none. */
const leftOf = async (
	{containment, mark, directory}: Spawn,
	{startTime: since}: ProcessIdentity,
): ReturnType<typeof killStragglers> =>
	containment.level === 'groups'
		? killStragglers({mark, workedIn: {folder: directory, since}})
		: [];

/** Checks the program beforehand: a containment starts even if the program is missing. */
const requireProgram = async (spawn: Spawn): Promise<void> => {
	const {command, directory, environment} = spawn;
	if (!(await isThere(directory))) {
		throw new Failure('missing', `The worktree ${directory} is not there.`);
	}

	const absence = whyNoProgram(command[0] ?? '', {directory, environment});
	if (absence !== undefined) {
		throw absent(spawn, absence);
	}
};

const absent = ({command: [program = ''], install}: Spawn, absence: Absence): Failure => {
	if (absence === 'not allowed') {
		return new Failure('missing', `You may not run the agent’s program "${program}".`, {
			hint: 'check its mode: chmod +x makes it a program',
		});
	}

	const remedy = install === undefined ? '' : `; \`${install}\` brings it`;
	return new Failure('missing', `The agent’s program "${program}" was not found${remedy}.`, {
		hint: install ?? 'install it, or name another command for this agent in the plan or the config',
	});
};

const notStarted = (spawn: Spawn, error: unknown): Failure =>
	errorCode(error) === 'ENOENT'
		? absent(spawn, 'not found')
		: unstartable(spawn)({
				cause: errorCode(error) ?? asFailure(error).message,
				hint: 'check that it is a program you may run',
			});

const unstartable =
	({command: [program = '']}: Spawn) =>
	({cause, hint}: SystemCause): never => {
		throw new Failure('missing', `The agent’s program "${program}" can’t be started: ${cause}.`, {
			hint,
		});
	};

const endOf = (code: number | null, signal: string | null): TurnEnd =>
	signal === null ? {by: 'exit', code: code ?? 1} : {by: 'signal', signal};

/** Length of the end of an agent's output in which its last line is searched, in characters. */
const tailLength = 2000;

/** Writes an agent's stderr to a file, and returns its last line at the end, without measurements, which are no cause. */
const keepComplaints = async (
	stderr: AsyncIterable<Uint8Array>,
	path: string,
): Promise<string | undefined> => {
	let tail = '';
	await keepStream(stderr, path, piece => {
		tail = (tail + Buffer.from(piece).toString()).slice(-tailLength);
	});
	const lines = tail.split('\n').map(line => line.trim());
	return lines.findLast(line => line !== '' && !line.startsWith('[perf] '));
};

/** Variables of an agent's process. */
export type AgentEnvironment = {
	readonly session: string;
	readonly agent: string;
	readonly promptFile: string;
	readonly mark: string;
	/** Folder of the question and answer files, if there is one. */
	readonly questions?: string;
	/** Variables from its profile. */
	readonly profile: Readonly<Record<string, string>>;
};

/** Returns the environment of an agent's process: the person's own, without variables that reach beyond the worktree. */
export const agentEnvironment = (
	person: Readonly<Record<string, string | undefined>>,
	agent: AgentEnvironment,
): Record<string, string> => {
	const kept = Object.entries(fencedEnvironment(person)).filter(
		([name]) => !name.startsWith('DELEGATE_'),
	);
	return {
		...Object.fromEntries(kept),
		// There is no person to use an editor, which `git rebase --continue` opens.
		GIT_EDITOR: ':',
		// Denied paths are found in error messages, so these must not be translated.
		LANGUAGE: 'C',
		...agent.profile,
		DELEGATE_SESSION: agent.session,
		DELEGATE_AGENT: agent.agent,
		DELEGATE_PROMPT_FILE: agent.promptFile,
		...defined({DELEGATE_QUESTIONS: agent.questions}),
		...mark(agent.mark),
	};
};

/**
Returns a person's environment without variables that let a program reach beyond its folder.

Git variables of the person's shell would lead it to another repository, except the one with the path of their settings; the SSH agent would let it push. That git refuses all remote protocols is a fence, not a wall: a program can unset it, but an agent's repository has no remote either.
*/
export const fencedEnvironment = (
	person: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
	const kept = Object.entries(person).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !isWithheld(entry[0]),
	);
	return {
		...Object.fromEntries(kept),
		GIT_TERMINAL_PROMPT: '0',
		GIT_CONFIG_COUNT: '1',
		GIT_CONFIG_KEY_0: 'protocol.allow',
		GIT_CONFIG_VALUE_0: 'never',
	};
};

const isWithheld = (name: string): boolean =>
	(name.startsWith('GIT_') && name !== 'GIT_CONFIG_GLOBAL') ||
	name === 'SSH_AUTH_SOCK' ||
	name === 'SSH_ASKPASS';

const mark = (entry: string): Record<string, string> => {
	const equals = entry.indexOf('=');
	return {[entry.slice(0, equals)]: entry.slice(equals + 1)};
};
