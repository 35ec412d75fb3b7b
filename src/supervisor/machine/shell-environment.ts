import {fencedEnvironment} from '../../agents/environment.ts';
import {sessionMark} from '../world.ts';

/** The environment of commands, and the entry of it that no other process has. */
export type ShellEnvironment = {
	readonly env: Readonly<Record<string, string>>;
	readonly mark: string;
};

/**
Returns the environment of commands that the plan names (`setup`, `verify`): the person's own, marked as the session's and by what the commands are for.

They run what agents wrote, before anybody approved it; so what is withheld from agents is withheld from them.
*/
export const shellEnvironment = (
	person: NodeJS.ProcessEnv,
	session: string,
	purpose: string,
): ShellEnvironment => {
	const mark = `DELEGATE_COMMANDS=${session}/${purpose}`;
	return {
		env: {...fencedEnvironment(person), ...entryOf(sessionMark(session)), ...entryOf(mark)},
		mark,
	};
};

const entryOf = (entry: string): Record<string, string> => {
	const [name = '', value = ''] = entry.split('=');
	return {[name]: value};
};
