import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {execa} from 'execa';
import {stringify} from 'yaml';
import type {AgentVendor} from '../../src/events/plan.ts';
import {writeTexts} from '../write-texts.ts';
import {cacheFolder, pathWith} from './install.ts';
import {settingFor} from './setting.ts';

/** A throwaway home with a repository, and a plan for one agent. */
export type Playground = {
	readonly folder: string;
	/** Root of the checkout. */
	readonly project: string;
	/** Path of the plan file. */
	readonly plan: string;
	readonly state: string;
	readonly environment: Readonly<Record<string, string>>;
	/** Runs a command of delegate-tui there to its end. */
	readonly run: (...words: readonly string[]) => Promise<Outcome>;
	readonly remove: () => Promise<void>;
};

export type PlaceOptions = {
	/** Folder of the agent's program. */
	readonly commands: string;
	readonly url: string;
	/** True if the agent is logged in with a subscription instead of a key. */
	readonly isSubscribed?: boolean;
	/** True if it has no login at all. */
	readonly isLoggedOut?: boolean;
	/** The person's config. */
	readonly config?: Readonly<Record<string, unknown>>;
	/** Further files of the checkout, by path. */
	readonly files?: Readonly<Record<string, string>>;
	/** Changed keys of its subtask in the plan. */
	readonly subtask?: Readonly<Record<string, unknown>>;
};

export type Outcome = {readonly code: number; readonly stdout: string; readonly stderr: string};

/**
Makes a place for an agent of a vendor, whose model is at `url`.

It is not below the system's temporary folder, in which programs may write without asking. This machine's configuration and logins don't apply, and no other machine can be reached: that server is also a proxy that refuses everything.
*/
export const makePlayground = async (
	vendor: AgentVendor,
	{commands, url, isSubscribed, isLoggedOut, config = {}, files = {}, subtask}: PlaceOptions,
): Promise<Playground> => {
	const folder = await realpath(await mkdtemp(join(await homeOfPlaces(), `try-${vendor}-`)));
	const temporary = await realpath(await mkdtemp('/tmp/dt-'));
	const setting = settingFor(vendor, url, isSubscribed);
	const project = join(folder, 'project');
	const state = join(folder, 'state');
	const environment = {
		PATH: pathWith(commands),
		HOME: folder,
		TMPDIR: temporary,
		LANG: 'C.UTF-8',
		DELEGATE_TUI_STATE: state,
		GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
		GIT_CONFIG_NOSYSTEM: '1',
		...unreachable(url),
		...(isLoggedOut ? withoutLogin(setting.environment) : setting.environment),
	};
	const plan = join(folder, 'plan.yaml');
	await writeTexts(folder, {
		gitconfig: '[user]\n\tname = Ada Person\n\temail = ada@example.org\n',
		'plan.yaml': planFor(vendor, subtask),
		'.config/delegate-tui/config.yaml': stringify({docs: false, ...config}),
		...setting.home,
	});
	await writeTexts(project, {'readme.md': 'hello\n', 'src/base.txt': 'base\n', ...files});
	const there = execa({cwd: project, env: environment, extendEnv: false});
	await there`git init --quiet --initial-branch=main`;
	await there`git add --all`;
	await there`git commit --quiet --message base`;
	return {
		folder,
		project,
		plan,
		state,
		environment,
		run: async (...words) => {
			const result = await execa(process.execPath, [launcher, ...words], {
				cwd: project,
				env: environment,
				extendEnv: false,
				reject: false,
				stdin: 'ignore',
				timeout: commandMs,
			});
			return {code: result.exitCode ?? -1, stdout: result.stdout, stderr: result.stderr};
		},
		remove: async () => {
			for (const made of [folder, temporary]) {
				await rm(made, {recursive: true, force: true, maxRetries: 5});
			}
		},
	};
};

/** Returns the folder of places; if the cache is itself below a temporary folder, one that programs leave alone. */
const homeOfPlaces = async (): Promise<string> => {
	await mkdir(cacheFolder, {recursive: true});
	const cache = await realpath(cacheFolder);
	const temporary = await Promise.all(['/tmp', tmpdir()].map(path => realpath(path)));
	return temporary.some(path => `${cache}/`.startsWith(`${path}/`)) ? '/var/tmp' : cache;
};

/** Time limit of a command, in milliseconds; starting a supervisor takes longest. */
const commandMs = 60_000;

/** Path of the program that people start. */
export const launcher = resolve(import.meta.dirname, '../../bin/delegate-tui.cjs');

const withoutLogin = (
	environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(environment).filter(([name]) => !/KEY|^COPILOT_/.test(name)));

const planFor = (vendor: AgentVendor, subtask: PlaceOptions['subtask']): string =>
	stringify({
		version: 1,
		task: 'Write what the play says',
		agents: [
			{
				subtask: 'Write the files of the play',
				scope: {allowed: ['src/**']},
				agent: vendor,
				...subtask,
			},
		],
	});

/** Returns variables that send requests for other machines to a proxy, which refuses them. */
const unreachable = (proxy: string): Readonly<Record<string, string>> => {
	const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
	return Object.fromEntries([
		...[...names, ...names.map(name => name.toLowerCase())].map(name => [name, proxy]),
		...['NO_PROXY', 'no_proxy'].map(name => [name, '127.0.0.1,localhost']),
	]);
};
