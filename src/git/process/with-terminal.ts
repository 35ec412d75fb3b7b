import {runInTerminal} from '../../lib/process/lend-terminal.ts';
import {gitExecutable} from './executable.ts';
import {settingVariables} from './sealed.ts';

export type GitOptions = {
	readonly settings: readonly (readonly [name: string, value: string])[];
	/** Variables that lead git elsewhere are removed from it. */
	readonly environment: NodeJS.ProcessEnv;
	/** Whether what it prints on standard output is kept as well; that is no terminal for it then. */
	readonly keeps?: boolean;
};

/** How a git ended that had this process's terminal: its exit code, or the signal that ended it, and what it printed, where that was to be kept. */
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

/** Removes the variables that lead git to another repository, or are settings. */
export const withoutLocations = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(environment).filter(
			([name]) =>
				!/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|NAMESPACE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_|CEILING_|CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS))/.test(
					name,
				),
		),
	);
