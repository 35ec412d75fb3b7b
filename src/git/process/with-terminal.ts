import {lendTerminal} from '../../lib/process/desktop-notifier.ts';
import {gitExecutable} from './executable.ts';
import {settingVariables} from './sealed.ts';

export type TerminalOptions = {
	readonly settings: readonly (readonly [name: string, value: string])[];
	/** Variables that lead git elsewhere are removed from it. */
	readonly environment: NodeJS.ProcessEnv;
	/** Whether what it prints on standard output is kept as well; that is no terminal for it then. */
	readonly keeps?: boolean;
};

/** How a git ended that had this process's terminal: its exit code, or the signal that ended it, and what it printed, where that was to be kept. */
export type TerminalEnd = {readonly code: number | string; readonly said: string};

/** Runs git with this process's terminal. */
export const gitWithTerminal = async (
	cwd: string,
	args: readonly string[],
	{settings, environment, keeps = false}: TerminalOptions,
): Promise<TerminalEnd> => {
	const {execa} = await import('execa');
	const program = gitExecutable();
	const {exitCode, signal, stdout} = await lendTerminal(() =>
		execa(program, [...args], {
			cwd,
			stdio: ['inherit', keeps ? ['inherit', 'pipe'] : 'inherit', 'inherit'],
			reject: false,
			extendEnv: false,
			env: {...withoutLocations(environment), ...settingVariables(settings)},
		}),
	);
	return {code: exitCode ?? signal ?? 'nobody knows what', said: String(stdout ?? '')};
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
