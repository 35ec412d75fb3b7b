import {sessionMark} from './world.ts';

/**
Returns the environment of commands that the plan names (`setup`, `verify`): the person's own, marked as the session's.

Git variables of the shell that started us would point them at the person's checkout.
*/
export const shellEnvironment = (
	person: NodeJS.ProcessEnv,
	session: string,
): Record<string, string> => {
	const kept = Object.entries(person).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
	);
	const mark = sessionMark(session).split('=');
	return {...Object.fromEntries(kept), [mark[0] ?? '']: mark[1] ?? ''};
};
