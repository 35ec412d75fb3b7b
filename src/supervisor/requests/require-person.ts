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
		for (const pid of lineOf(caller.pid)) {
			requireUnmarked(environmentOf(pid));
			if (holdsAgents(pid)) {
				throw refusal('an agent or a command of a session');
			}
		}
	}
};

/**
Refuses where an environment is that of a process of a session, whichever that is.

@param variables as `NAME=VALUE`
@throws `Failure` of kind `refused`
*/
export const requireUnmarked = (variables: readonly string[]): void => {
	const marked = variables.find(variable => variable.startsWith(mark) && variable !== mark);
	if (marked !== undefined) {
		throw refusal(`an agent or a command of session ${marked.slice(mark.length)}`);
	}
};

const mark = 'DELEGATE_SESSION=';

const refusal = (who: string): Failure =>
	new Failure('refused', `This is for people, and it was asked for by ${who}.`, {
		hint: 'an agent asks with a signal, such as SCOPE_REQUEST, and a person decides',
	});
