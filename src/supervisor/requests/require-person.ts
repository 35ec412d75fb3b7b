import {statSync} from 'node:fs';
import type {Caller} from '../../control/caller.ts';
import {attempt} from '../../lib/attempt.ts';
import {Failure} from '../../lib/failure.ts';
import {holdsAgents} from '../../lib/process/containment.ts';
import {
	environmentOf,
	lineOf,
	nameOf,
	type ProcessEntry,
	readProcess,
	terminalOf,
} from '../../lib/process/process-table.ts';

/**
Refuses to do for an agent what a person decides.

Each process of a session is started with its mark, and so is the first process of the namespace that holds the agent's others together: they can clean their own environment, but not change where they come from. A namespace that they make inside of theirs hides that, so theirs is marked as well. It doesn't matter whose session it is: an agent can name any state folder, and a person is in no session. What has left its process tree for another one, as a job that it gives to a service of the person's, can't be told from the person.

@throws `Failure` of kind `refused`
*/
export const requirePerson = (caller: Caller): void => {
	if (caller.kind === 'hidden') {
		throw new Failure('refused', 'The supervisor can’t see which process asks for this.', {
			hint: 'decide from where processes of this machine see each other, not from a container or sandbox',
		});
	}

	if (caller.kind === 'process') {
		const line = lineOf(caller.pid);
		for (const pid of line) {
			requireUnmarked(environmentOf(pid));
		}

		if (line.some(holdsAgents)) {
			throw refusal('an agent or a command of a session');
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

	const line = lineOf(caller.pid);
	const end = line.findIndex(
		pid => pid === 1 || nameOf(pid) === 'systemd' || adopters.includes(pid),
	);
	const [first, adopter] = [line[end - 1], line[end]].map(pid => pid && readProcess(pid));
	if (first && adopter && isOrphan(first, adopter, since)) {
		throw new Failure(
			'refused',
			'Who asks for this has no terminal, and what started it has ended, so it may be anybody’s.',
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
			`Nothing is decided from inside of ${visited}: what agents wrote may be at work there.`,
			{hint: 'leave it first, and decide in a terminal of your own'},
		);
	}
};

/** What people are lent that agents wrote, a worktree or a file, is named by this variable to all that is started in there. */
const visitVariable = 'DELEGATE_VISIT';

/** Returns a person's environment for a program that is opened on what agents wrote. */
export const visitorEnvironment = (
	person: Readonly<Record<string, string | undefined>>,
	visited: string,
): Readonly<Record<string, string | undefined>> => ({...person, [visitVariable]: visited});

const valueIn = (variables: readonly string[], name: string): string | undefined =>
	variables.find(variable => variable.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;

const refusal = (who: string): Failure =>
	new Failure('refused', `This is for people, and it was asked for by ${who}.`, {
		hint: 'an agent asks with a signal, such as SCOPE_REQUEST, and a person decides',
	});
