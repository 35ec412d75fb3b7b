import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {execa} from 'execa';
import {onTestFinished} from 'vitest';
import {stringify} from 'yaml';
import {type Files, makeRepository, removeAll, temporaryFolder} from './repository.ts';

/** Result of a command of the program. */
export type Outcome = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** A running command of the program. */
export type Running = {
	/** First line of its output, if any. */
	readonly firstLine: Promise<string | undefined>;
	readonly ended: Promise<Outcome>;
};

/** A person's folder, and the program as they would use it there. */
export type Project = {
	/** Root of the checkout. */
	readonly root: string;
	/** Folder for files of the test that are not in the repository. */
	readonly aside: string;
	/** State folder of the program. */
	readonly state: string;
	/** The whole environment of the program. */
	readonly environment: Readonly<Record<string, string>>;
	/** Starts a command of the program. */
	readonly start: (...words: readonly string[]) => Running;
	/** Runs a command to its end. */
	readonly run: (...words: readonly string[]) => Promise<Outcome>;
};

/**
Makes a repository with one commit of these files, and a home for it.

The documents in the checkout are off and agents start at once, unless the files include a config.
*/
export const makeProject = (files: Files = {'readme.md': 'hello\n'}, folder?: string): Project => {
	const project = projectAt(makeRepository({'.delegate-tui.yaml': hasty, ...files}, folder));
	if ('.delegate-tui.yaml' in files) {
		trust(project);
	}

	return project;
};

/** Writes the config of a repository, with the person's trust. */
export const configure = (project: Project, settings: object): void => {
	writeFileSync(join(project.root, '.delegate-tui.yaml'), stringify(settings));
	trust(project);
};

/** Gives the person's yes to the settings of a repository's config. */
export const trust = ({
	root,
	environment,
}: {
	readonly root: string;
	readonly environment: NodeJS.ProcessEnv;
}): void => {
	execFileSync(process.execPath, [program, 'trust', '--yes'], {cwd: root, env: environment});
};

export type ProjectOptions = {
	/** Folder for files of the test, and the state. */
	readonly aside?: string;
	/** Variables to add to the program's environment. */
	readonly env?: Readonly<Record<string, string>>;
};

const hasty = 'docs: false\nlimits: {stagger: 0s}\n';

/** Returns a project for an existing folder, with or without a repository. */
export const projectAt = (
	root: string,
	{aside = temporaryFolder(), env: more = {}}: ProjectOptions = {},
): Project => {
	const state = join(aside, 'state');
	const env = {...environment(state), ...more};
	const start = (...words: readonly string[]): Running =>
		startIn({root, environment: env}, [process.execPath, program, ...words]);
	return {root, aside, state, environment: env, start, run: (...words) => start(...words).ended};
};

/** Starts any command in a project. */
export const startIn = (
	{root, environment: env}: Pick<Project, 'root' | 'environment'>,
	[file = '', ...words]: readonly string[],
): Running & {readonly kill: () => void} => {
	const options = {cwd: root, env, extendEnv: false, reject: false, stdin: 'ignore'} as const;
	const child = execa(file, words, options);
	// Not with `then`: to infer its return type the compiler would compare all of execa's result types, for seconds.
	const end = async (): Promise<Outcome> => {
		const {exitCode = -1, stdout, stderr} = await child;
		return {code: exitCode, stdout, stderr};
	};

	return {
		firstLine: firstLineOf(child.stdout),
		ended: end(),
		kill: () => void child.kill('SIGKILL'),
	};
};

/** Path of the program that people start. */
export const program = resolve(import.meta.dirname, '../../bin/delegate-tui.cjs');

/** Returns the first line and keeps reading: a program whose reader goes away ends early. */
const firstLineOf = (stdout: Readable): Promise<string | undefined> =>
	new Promise(resolve => {
		const lines = createInterface({input: stdout});
		lines.on('line', resolve);
		lines.on('close', () => resolve(undefined));
	});

/** Returns the whole environment of the program, without other variables of the caller. */
const environment = (state: string): Record<string, string> => {
	const {PATH = '', HOME = '', XDG_CONFIG_HOME = '', GIT_CONFIG_GLOBAL = ''} = process.env;
	return {
		PATH,
		HOME,
		XDG_CONFIG_HOME,
		GIT_CONFIG_GLOBAL,
		GIT_CONFIG_NOSYSTEM: '1',
		DELEGATE_TUI_STATE: state,
		// Agents of stories read their instructions from files of the story.
		DELEGATE_TUI_PROCESSES: 'namespace',
		TZ: 'UTC',
		TMPDIR: shortFolder(),
		NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
	};
};

/** Makes a folder with a short path: a socket's path has at most 104 bytes, which the system's temporary folder can use up. */
const shortFolder = (): string => {
	const folder = mkdtempSync(join(realpathSync('/tmp'), 'dt-'));
	onTestFinished(() => removeAll(folder));
	return folder;
};
