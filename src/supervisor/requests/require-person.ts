import {readFileSync, realpathSync, statSync} from 'node:fs';
import {sep} from 'node:path';
import type {Caller} from '../../control/caller.ts';
import type {Asker} from '../../events/event.ts';
import {attempt, Failure} from '../../lib/failure.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {holdsAgents} from '../../lib/process/containment.ts';
import {
	ancestryOf,
	isNested,
	ownId,
	ownNamespace,
	type ProcessEntry,
	processCommand,
	processEnvironment,
	processFolder,
	processName,
	readProcess,
	terminalOf,
} from '../../lib/process/process-table.ts';
import {defined, fieldsAre, type Guarded, isNumber, isString, orMissing} from '../../lib/values.ts';
import type {RepositoryFolder} from '../folder.ts';
import {visitVariable} from './visitor.ts';

/**
Refuses to do for an agent what a person decides.

Each process of a session is started with its mark, and so is the first process of the namespace that holds the agent's others together: they can clean their own environment, but not change where they come from. A namespace that they make inside of theirs hides that, so theirs is marked as well. It doesn't matter whose session it is: an agent can name any state folder, and a person is in no session. A program that ran before, as a window of an editor does, has no mark; but git that it starts in a worktree, and a terminal that it opens there, works in a folder of ours, and so does what they come from. What has left its process tree for another one, as a job that it gives to a service of the person's, can't be told from the person.

@param state The folder that holds the state of all repositories.
@throws `Failure` of kind `refused`
*/
export const requireNoAgent = (caller: Caller, state: string): void => {
	if (caller.kind === 'hidden') {
		throw new Failure('refused', 'The supervisor can’t see which process asks for this.', {
			hint: 'decide outside containers and sandboxes, where this machine’s processes see each other',
		});
	}

	if (caller.kind === 'process') {
		const line = ancestryOf(caller.pid);
		for (const pid of line) {
			requireUnmarked(processEnvironment(pid));
		}

		if (line.some(holdsAgents)) {
			throw refusal('an agent or a command of a session');
		}

		const ours = `${attempt(() => realpathSync(state)) ?? state}${sep}`;
		const folder = line.map(processFolder).find(folder => `${folder}${sep}`.startsWith(ours));
		if (folder !== undefined) {
			throw new Failure(
				'refused',
				`You can’t decide from inside ${folder}: programs that agents wrote may run there.`,
				{hint: 'close the program that you have open there, and decide in a terminal of your own'},
			);
		}
	}
};

/**
Refuses who has no terminal where what started it has ended: nobody can tell then whose it is, and a program that an agent left behind looks just like that.

What is the first of its line, below the process that adopts orphans, is none if it never left the session of that one (as in a container), belongs to another user (as the service of logins or of timers does), or is older than the first supervisor of the repository since the boot, and so than any agent.

@param since when that supervisor was started, in clock ticks
@param adopters processes that adopt orphans besides those that always do
@throws `Failure` of kind `refused`
*/
export const requireAttended = (
	caller: Caller,
	since: number | undefined,
	adopters: readonly number[] = [],
): void => {
	if (caller.kind !== 'process' || since === undefined || terminalOf(caller.pid) !== undefined) {
		return;
	}

	const line = ancestryOf(caller.pid);
	const end = line.findIndex(
		pid => pid === 1 || processName(pid) === 'systemd' || adopters.includes(pid),
	);
	const [first, adopter] = [line[end - 1], line[end]].map(pid => pid && readProcess(pid));
	if (first && adopter && isOrphan(first, adopter, since)) {
		throw new Failure(
			'refused',
			'The process that asks has no terminal, and its parent has ended, so its owner is unknown.',
			{
				hint: 'decide in a terminal, or from a script whose parent is alive, or make a token: delegate-tui token make NAME',
			},
		);
	}
};

const isOrphan = (first: ProcessEntry, adopter: ProcessEntry, since: number): boolean =>
	first.session !== adopter.session && first.ticks >= since && isOurs(first.pid);

const isOurs = (pid: number): boolean =>
	attempt(() => statSync(`/proc/${pid}`).uid) === process.getuid?.();

/**
Refuses where an environment is that of a process of a session, whichever that is.

@param variables as `NAME=VALUE`
@throws `Failure` of kind `refused`
*/
export const requireUnmarked = (variables: readonly string[]): void => {
	const session = valueIn(variables, 'DELEGATE_SESSION');
	if (session !== undefined) {
		throw refusal(`an agent or a command of session ${session}`);
	}

	const visited = valueIn(variables, visitVariable);
	if (visited !== undefined) {
		throw new Failure(
			'refused',
			`You can’t decide from inside ${visited}: programs that agents wrote may run there.`,
			{hint: 'leave it first, and decide in a terminal of your own'},
		);
	}
};

const valueIn = (variables: readonly string[], name: string): string | undefined =>
	variables.find(variable => variable.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;

const refusal = (who: string): Failure =>
	new Failure('refused', `This is for people to decide, and ${who} asked for it.`, {
		hint: 'an agent asks with a signal, such as SCOPE_REQUEST, and a person decides',
	});

/** How much of a command and of a line of processes is kept; the journal is read by people. */
const longestWay = 1000;
const mostParents = 10;

/** Returns what the journal tells of who asks; nothing where the system doesn't tell. */
export const askerOf = (caller: Caller, token?: string): Asker | undefined => {
	if (caller.kind !== 'process') {
		return undefined;
	}

	const {pid} = caller;
	return {
		way: processCommand(pid).slice(0, longestWay),
		pid,
		tty: terminalOf(pid) ?? null,
		parents: ancestryOf(pid)
			.slice(1, 1 + mostParents)
			.map(parent => `${parent} ${processName(parent)}`),
		...defined({token}),
	};
};

/**
Refuses to decide on a repository from inside of the system in which it was supervised last, in a namespace where those we come from can't be seen.

An agent can make such a namespace, and passes for a person there. A container that was started again has a namespace of its own as well, and so has a machine that was: those don't lie inside of another system that runs, and a boot that is over binds nobody.

@throws `Failure` of kind `refused`
*/
export const requireNamespace = (folder: RepositoryFolder): void => {
	const own = ownNamespace();
	const bound = read(folder.namespace);
	if (own && bound?.boot === own.boot && bound.id !== own.id && isNested()) {
		throw new Failure(
			'refused',
			'This repository was supervised in another process namespace, and from this one the supervisor can’t see which process asks.',
			{hint: 'decide in a terminal outside sandboxes, where the session was started'},
		);
	}
};

/** Keeps in which namespace a repository is supervised, and since when; only its supervisor does. */
export const keepNamespace = async (folder: RepositoryFolder): Promise<void> => {
	const kept = {...ownNamespace(), since: supervisedSince(folder) ?? readProcess(ownId())?.ticks};
	await writeAtomically(folder.namespace, `${JSON.stringify(kept)}\n`, {mode: 0o600});
};

/** Returns when the first supervisor of a repository since the boot was started, in clock ticks; nothing where there was none, or the system doesn't tell. */
export const supervisedSince = (folder: RepositoryFolder): number | undefined => {
	const kept = read(folder.namespace);
	return kept?.boot === ownNamespace()?.boot ? kept?.since : undefined;
};

const isRecord = fieldsAre({boot: isString, id: isString, since: orMissing(isNumber)});

/** Reads the file; an unreadable one is ignored, so that it can't lock a person out. */
const read = (path: string): Guarded<typeof isRecord> | undefined => {
	const found = attempt((): unknown => JSON.parse(readFileSync(path, 'utf8')));
	return isRecord(found) ? found : undefined;
};
