import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Caller} from '../../control/caller.ts';
import {Failure} from '../../lib/failure.ts';
import {environmentOf, readProcess} from '../../lib/process-table.ts';

/**
Refuses to do for an agent what a person decides.

Each process of a session is started with its mark, and so is the first process of the namespace that holds the agent's others together: they can clean their own environment, but not change where they come from. What has left its family for another one, as a job that it gives to a service of the person's, can't be told from the person.

@param state folder of all sessions that count; those of others are none of ours
@throws `Failure` of kind `refused`
*/
export const requirePerson = (state: string, caller: Caller): void => {
	if (caller.kind === 'hidden') {
		throw new Failure('refused', 'The supervisor can’t see which process asks for this.', {
			hint: 'decide from where processes of this machine see each other, not from a container or sandbox',
		});
	}

	if (caller.kind === 'process') {
		for (const pid of lineOf(caller.pid)) {
			requireOutside(state, environmentOf(pid));
		}
	}
};

/**
Refuses where an environment is that of a process of a session.

@param variables as `NAME=VALUE`
@throws `Failure` of kind `refused`
*/
export const requireOutside = (state: string, variables: readonly string[]): void => {
	for (const variable of variables) {
		const session = variable.startsWith(mark) ? variable.slice(mark.length) : '';
		if (isKept(state, session)) {
			throw new Failure(
				'refused',
				`This is for people, and it was asked for by an agent or a command of session ${session}.`,
				{
					hint: 'an agent asks with a signal, such as SCOPE_REQUEST, and a person decides',
				},
			);
		}
	}
};

const mark = 'DELEGATE_SESSION=';

const isKept = (state: string, session: string): boolean =>
	/^DEL-\w+$/.test(session) &&
	existsSync(state) &&
	readdirSync(state).some(repository => existsSync(join(state, repository, session)));

/** A process and those it comes from. */
const lineOf = (pid: number): readonly number[] => {
	const line: number[] = [];
	for (let next: number | undefined = pid; next !== undefined && next > 0; ) {
		line.push(next);
		next = readProcess(next)?.parent;
	}

	return line;
};
