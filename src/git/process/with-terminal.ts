import {lendTerminal} from '../../lib/process/desktop-notifier.ts';
import {gitExecutable} from './executable.ts';
import {settingVariables} from './sealed.ts';

export type TerminalOptions = {
	readonly settings: readonly (readonly [name: string, value: string])[];
	/** Variables that lead git elsewhere are removed from it. */
	readonly environment: NodeJS.ProcessEnv;
};

/** Runs git with this process's terminal; returns its exit code, or the signal that ended it. */
export const gitWithTerminal = async (
	cwd: string,
	args: readonly string[],
	{settings, environment}: TerminalOptions,
): Promise<number | string> => {
	const {execa} = await import('execa');
	const program = gitExecutable();
	const {exitCode, signal} = await lendTerminal(() =>
		execa(program, [...args], {
			cwd,
			stdio: 'inherit',
			reject: false,
			extendEnv: false,
			env: {...withoutLocations(environment), ...settingVariables(settings)},
		}),
	);
	return exitCode ?? signal ?? 'nobody knows what';
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
