import {sessionMark} from '../world.ts';

/** The environment of commands, and the entry of it that no other process has. */
export type ShellEnvironment = {
	readonly env: Readonly<Record<string, string>>;
	readonly mark: string;
};

/**
Returns the environment of commands that the plan names (`setup`, `verify`): the person's own, marked as the session's and by what the commands are for.

Git variables of the shell that started us would point them at the person's checkout.
*/
export const shellEnvironment = (
	person: NodeJS.ProcessEnv,
	session: string,
	purpose: string,
): ShellEnvironment => {
	const kept = Object.entries(person).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
	);
	const mark = `DELEGATE_COMMANDS=${session}/${purpose}`;
	return {
		env: {...Object.fromEntries(kept), ...entryOf(sessionMark(session)), ...entryOf(mark)},
		mark,
	};
};

const entryOf = (entry: string): Record<string, string> => {
	const [name = '', value = ''] = entry.split('=');
	return {[name]: value};
};
