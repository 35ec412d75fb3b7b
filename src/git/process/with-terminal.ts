import {runInTerminal} from '../../lib/process/lend-terminal.ts';
import {gitExecutable} from './executable.ts';
import {settingVariables} from './sealed.ts';

export type GitOptions = {
	readonly settings: readonly (readonly [name: string, value: string])[];
	/** Without variables that lead git elsewhere. */
	readonly environment: NodeJS.ProcessEnv;
	/** True to capture standard output, which is no terminal for git then. */
	readonly keeps?: boolean;
};

/** End of a git that used this process's terminal: its exit code or the signal that ended it, and its captured output. */
export type GitEnd = {readonly code: number | string; readonly said: string};

/** Runs git with this process's terminal. */
export const gitWithTerminal = async (
	cwd: string,
	args: readonly string[],
	{settings, environment, keeps = false}: GitOptions,
): Promise<GitEnd> => {
	const env = {...withoutLocations(environment), ...settingVariables(settings)};
	const {exitCode, signal, said} = await runInTerminal([gitExecutable(), ...args], {
		cwd,
		env,
		keeps,
	});
	return {code: exitCode ?? signal ?? 'nobody knows what', said};
};

/** Removes variables that lead git to another repository, or set its configuration. */
export const withoutLocations = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(environment).filter(
			([name]) =>
				!/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|NAMESPACE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_|CEILING_|CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS))/.test(
					name,
				),
		),
	);
