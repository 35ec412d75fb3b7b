import {spawn} from 'node:child_process';
import {type FileHandle, open} from 'node:fs/promises';
import {fencedEnvironment} from '../../agents/spawn-agent.ts';
import {Failure} from '../../lib/failure.ts';
import type {SystemCause} from '../../lib/files/reading.ts';
import {type Containment, endThroughContainment} from '../../lib/process/containment.ts';
import {requireDescriptors} from '../../lib/process/find-program.ts';
import type {Freezer} from '../../lib/process/freezer.ts';
import {killStragglers, type Survivor} from '../../lib/process/kill-stragglers.ts';
import {identityOf} from '../../lib/process/processes.ts';
import {withOwnFolders} from '../questions/own-folders.ts';
import {sessionMark, type World} from '../world.ts';
import {slotEnvironment} from './slots.ts';
import {reportSurvivors} from './survivors.ts';

/** What became of a list of shell commands. */
type ShellOutcome = {
	readonly ok: boolean;
	/** Those that ran; `code` is null for one that was ended by a signal or could not start. */
	readonly commands: readonly {readonly command: string; readonly code: number | null}[];
	/** What they left running that could not be ended. */
	readonly survivors: readonly Survivor[];
};

type ShellContext = {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly containment: Containment;
	/** What lets them stand still while there is no room for what they write. */
	readonly freezer?: Freezer;
	/** Ends what runs, and starts nothing more. */
	readonly signal?: AbortSignal;
	/** An environment entry that only processes of these commands have; it is in `env` as well. */
	readonly mark: string;
};

/**
Runs shell commands one after the other until one fails, with all their output in a file.

A command is over when its shell is; what it left running is ended, so that the folder stands still.

@throws what the signal was aborted with, once nothing of it runs any more.
*/
export const runCommands = async (
	commands: readonly string[],
	{log, ...context}: ShellContext & {readonly log: string},
): Promise<ShellOutcome> => {
	const done: {command: string; code: number | null}[] = [];
	const survivors: Survivor[] = [];
	await using file = await open(log, 'a');
	for (const command of commands) {
		context.signal?.throwIfAborted();
		await file.appendFile(`$ ${command}\n`);
		const {code, left} = await runCommand(command, context, file);
		context.signal?.throwIfAborted();
		done.push({command, code});
		survivors.push(...left);
		if (code !== 0) {
			return {ok: false, commands: done, survivors};
		}
	}

	return {ok: true, commands: done, survivors};
};

/** Between TERM and KILL for what a command left running, in milliseconds. */
const graceMs = 2000;

type Ended = {readonly code: number | null; readonly left: readonly Survivor[]};

/** The command writes to the file itself: a pipe would stay open for as long as anything it started. */
const runCommand = async (
	command: string,
	context: ShellContext,
	file: FileHandle,
): Promise<Ended> => {
	const {containment, freezer, signal} = context;
	requireDescriptors(unstartable(command));
	const {pid, ended} = start(command, context, file);
	if (pid === undefined) {
		return {code: await ended, left: []};
	}

	const leader = identityOf(pid);
	freezer?.hold(leader, ended);
	const end = () => void endThroughContainment(containment, leader, graceMs);
	signal?.addEventListener('abort', end, {once: true});
	const code = await ended;
	signal?.removeEventListener('abort', end);
	await endThroughContainment(containment, leader, graceMs);
	return {code, left: await leftOf(context, leader.startTime)};
};

const start = (command: string, {cwd, env, containment}: ShellContext, {fd}: FileHandle) => {
	const [program = '', ...words] = [...containment.prefix, '/bin/sh', '-c', command];
	const child = spawn(program, words, {cwd, env, detached: true, stdio: ['ignore', fd, fd]});
	const ended = new Promise<number | null>(resolve => {
		child.once('exit', resolve);
		child.once('error', () => resolve(null));
	});
	return {pid: child.pid, ended};
};

/** In a moment it may be otherwise, and a command that never ran has not failed. */
const unstartable =
	(command: string) =>
	({cause, hint}: SystemCause): never => {
		throw new Failure('internal', `\`${command}\` can’t be started: ${cause}.`, {hint});
	};

/** With a namespace all has ended; without one it is looked for. */
const leftOf = async (
	{containment, mark, cwd}: ShellContext,
	since: string,
): Promise<readonly Survivor[]> =>
	containment.level === 'namespace' ? [] : killStragglers({mark, workedIn: {folder: cwd, since}});

/** The environment of commands, and the entry of it that no other process has. */
export type ShellEnvironment = {
	readonly env: Readonly<Record<string, string>>;
	readonly mark: string;
};

/**
Returns the environment of commands that the plan names (`setup`, `verify`): the person's own, marked as the session's and by what the commands are for.

They run what agents wrote, before anybody approved it; so what is withheld from agents is withheld from them.
*/
export const shellEnvironment = (
	person: NodeJS.ProcessEnv,
	session: string,
	purpose: string,
): ShellEnvironment => {
	const mark = `DELEGATE_COMMANDS=${session}/${purpose}`;
	return {
		env: {...fencedEnvironment(person), ...entryOf(sessionMark(session)), ...entryOf(mark)},
		mark,
	};
};

const entryOf = (entry: string): Record<string, string> => {
	const [name = '', value = ''] = entry.split('=');
	return {[name]: value};
};

type Parts = {
	/** A worktree; it has a slot of its own. */
	readonly cwd: string;
	readonly log: string;
	/** What they are run for, and which time: `verify/12`. */
	readonly purpose: readonly [what: string, name: number | string];
	/** Whose worktree they run in, if it is one's own: they get its environment and its folders of questions. */
	readonly agent?: string;
	readonly signal?: AbortSignal;
};

/** What became of them; what they left running is told already. */
export type SessionOutcome = Omit<ShellOutcome, 'survivors'>;

/** The part of the world that commands need. */
export type CommandsWorld = Pick<
	World,
	'session' | 'folder' | 'containment' | 'freezer' | 'state' | 'report' | 'slots'
> &
	Partial<Pick<World, 'environments'>>;

/** Runs commands that a person approved on what agents wrote: held together, frozen with the session, and without what is withheld from agents. */
export const runForSession = async (
	world: CommandsWorld,
	commands: readonly string[],
	{purpose: [what, name], agent, ...parts}: Parts,
): Promise<SessionOutcome> => {
	const {env, mark} = shellEnvironment(process.env, world.session, `${what}/${name}`);
	const {survivors, ...outcome} = await runCommands(commands, {
		...parts,
		env: {...env, ...(await slotEnvironment(world, parts.cwd, agent))},
		mark,
		containment: await withOwnFolders(world, agent ?? what),
		freezer: world.freezer,
	});
	reportSurvivors(world, agent ?? null, survivors);
	return outcome;
};
