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
Throws if an agent makes a request that only a person may make.

All processes of a session start with its mark, and so does the init process of an agent's process namespace: they can clean their own environment, but not that of their ancestors. A nested namespace hides the ancestors, so the agents' namespace is marked as well. The session doesn't matter: an agent can name any state folder, and a person is in no session. A program that ran before the session, such as an editor's window, has no mark; but the git that it starts in a worktree, and a terminal that it opens there, have one of our folders as working directory, or one of their ancestors has. A process that moved to another process tree, such as a job of a service of the person's, can't be distinguished from the person.

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
Throws if a process without a terminal has lost its parent: its owner is unknown, and a process that an agent left behind looks the same.

The ancestor directly below the process that adopts orphans counts as no orphan if it is in the adopter's session (as in a container), belongs to another user (like the login or timer service), or is older than the repository's first supervisor since the boot, and so older than any agent.

@param since start time of that supervisor, in clock ticks
@param adopters further processes that adopt orphans
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
Throws if an environment is that of a process of any session.

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

/** Maximum lengths of a command and of a list of ancestors in the journal, which people read. */
const longestWay = 1000;
const mostParents = 10;

/** Returns the caller's description for the journal; `undefined` if the system doesn't provide it. */
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
Throws in a nested process namespace of the system in which the repository was last supervised: the caller's ancestors can't be seen there.

An agent can create such a namespace and would pass for a person in it. A restarted container or machine has a new namespace too, but it isn't nested in a running system, and namespaces of an earlier boot don't count.

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

/** Records the namespace and the start time of a repository's supervisor; only that supervisor may call it. */
export const keepNamespace = async (folder: RepositoryFolder): Promise<void> => {
	const kept = {...ownNamespace(), since: supervisedSince(folder) ?? readProcess(ownId())?.ticks};
	await writeAtomically(folder.namespace, `${JSON.stringify(kept)}\n`, {mode: 0o600});
};

/** Returns the start time of a repository's first supervisor since the boot, in clock ticks; `undefined` if there was none or the system doesn't provide it. */
export const supervisedSince = (folder: RepositoryFolder): number | undefined => {
	const kept = read(folder.namespace);
	return kept?.boot === ownNamespace()?.boot ? kept?.since : undefined;
};

const isRecord = fieldsAre({boot: isString, id: isString, since: orMissing(isNumber)});

/** Reads the file; ignores an unreadable one, so that it can't lock a person out. */
const read = (path: string): Guarded<typeof isRecord> | undefined => {
	const found = attempt((): unknown => JSON.parse(readFileSync(path, 'utf8')));
	return isRecord(found) ? found : undefined;
};
