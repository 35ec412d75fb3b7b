import {Failure} from '../../lib/failure.ts';

/** Says why no repository of the person's is found in a place of agents' files that they are lent; absent elsewhere. */
export const inVisit = ({[visitVariable]: visited}: NodeJS.ProcessEnv): Failure | undefined =>
	visited === undefined
		? undefined
		: new Failure('refused', `No session is looked up from inside ${visited}.`, {
				hint: 'leave it first: exit',
			});

/** Variable that names the visited worktree or file of an agent to all programs that are started there. */
export const visitVariable = 'DELEGATE_VISIT';

/** Returns a person's environment for a program that is opened on what agents wrote. */
export const visitorEnvironment = (
	person: Readonly<Record<string, string | undefined>>,
	visited: string,
): Readonly<Record<string, string | undefined>> => ({...person, [visitVariable]: visited});
