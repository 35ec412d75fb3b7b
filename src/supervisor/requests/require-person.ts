import type {Caller} from '../../control/caller.ts';
import {Failure} from '../../lib/failure.ts';
import {holdsAgents} from '../../lib/process/containment.ts';
import {environmentOf, lineOf} from '../../lib/process/process-table.ts';

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
