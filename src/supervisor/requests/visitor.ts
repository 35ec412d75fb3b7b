import {Failure} from '../../lib/failure.ts';

/** Returns the reason why no repository of the person's is used during a visit to agents' files; `undefined` outside of a visit. */
export const inVisit = ({[visitVariable]: visited}: NodeJS.ProcessEnv): Failure | undefined =>
	visited === undefined
		? undefined
		: new Failure('refused', `No session is looked up from inside ${visited}.`, {
				hint: 'leave it first: exit',
			});

/** Variable that names the visited worktree or file of an agent, for all programs of the visit. */
export const visitVariable = 'DELEGATE_VISIT';

/** Returns a person's environment for a program that opens agents' files. */
export const visitorEnvironment = (
	person: Readonly<Record<string, string | undefined>>,
	visited: string,
): Readonly<Record<string, string | undefined>> => ({...person, [visitVariable]: visited});
