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

/** What a command of the program came to. */
export type Outcome = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** A command of the program that runs. */
export type Running = {
	/** The first line it prints, if it prints one. */
	readonly firstLine: Promise<string | undefined>;
	readonly ended: Promise<Outcome>;
};

/** A person's folder, and the program as they would use it there. */
export type Project = {
	/** Top of the checkout. */
	readonly root: string;
	/** Folder for what belongs to the test and not to the repository. */
	readonly aside: string;
	/** Where the program keeps its state. */
	readonly state: string;
	/** The whole environment of the program. */
	readonly environment: Readonly<Record<string, string>>;
	/** Starts a command of the program. */
	readonly start: (...words: readonly string[]) => Running;
	/** Runs a command to its end. */
	readonly run: (...words: readonly string[]) => Promise<Outcome>;
};

/**
Makes a repository with one commit of these files, in a home of its own.

The documents in the checkout are off and agents start at once, unless a story brings its own config.
*/
export const makeProject = (files: Files = {'readme.md': 'hello\n'}, folder?: string): Project => {
	const project = projectAt(makeRepository({'.delegate-tui.yaml': hasty, ...files}, folder));
	if ('.delegate-tui.yaml' in files) {
		trust(project);
	}

	return project;
};

/** Writes the config of a repository, as the person whose it is. */
export const configure = (project: Project, settings: object): void => {
	writeFileSync(join(project.root, '.delegate-tui.yaml'), stringify(settings));
	trust(project);
};

/** Says yes to what the config of a repository may set only with that. */
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
	/** Where what belongs to the test lies, and the state. */
	readonly aside?: string;
	/** Added to the environment of the program. */
	readonly env?: Readonly<Record<string, string>>;
};

const hasty = 'docs: false\nlimits: {stagger: 0s}\n';

/** Uses the program in a folder that is there already, be it a repository or not. */
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
	// Not by `then`: for the type of what it returns the compiler compares, for seconds, all that execa's can be.
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

/** The program as people start it. */
export const program = resolve(import.meta.dirname, '../../bin/delegate-tui.cjs');

/** Goes on reading after the first line: a program whose reader goes away ends early. */
const firstLineOf = (stdout: Readable): Promise<string | undefined> =>
	new Promise(resolve => {
		const lines = createInterface({input: stdout});
		lines.on('line', resolve);
		lines.on('close', () => resolve(undefined));
	});

/** Only this reaches the program: nothing of whoever runs the tests counts. */
const environment = (state: string): Record<string, string> => {
	const {PATH = '', HOME = '', XDG_CONFIG_HOME = '', GIT_CONFIG_GLOBAL = ''} = process.env;
	return {
		PATH,
		HOME,
		XDG_CONFIG_HOME,
		GIT_CONFIG_GLOBAL,
		GIT_CONFIG_NOSYSTEM: '1',
		DELEGATE_TUI_STATE: state,
		// Agents of stories tell them what they do by files of the story.
		DELEGATE_TUI_PROCESSES: 'namespace',
		TZ: 'UTC',
		TMPDIR: shortFolder(),
		NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
	};
};

/** The path of a socket may be 104 bytes long, which the system's own temporary folder can use up. */
const shortFolder = (): string => {
	const folder = mkdtempSync(join(realpathSync('/tmp'), 'dt-'));
	onTestFinished(() => removeAll(folder));
	return folder;
};
