import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {defined} from '../../lib/values.ts';
import {serverEnvironment} from '../turn.ts';
import {opencodeSpent} from './opencode-spent.ts';
import {
	type GivenProgram,
	inFolder,
	laidOver,
	type Profile,
	unlessSet,
	valueIn,
} from './profile.ts';

const program = {package: 'opencode-ai', version: '1.18.33'};

/** opencode, which speaks ACP itself. */
export const opencode: Profile = {
	vendor: 'opencode',
	title: 'opencode',
	acp: {command: ['opencode', 'acp'], ...program},
	print: {command: ['opencode', 'run', '--format', 'json'], ...program},
	login: 'run `opencode auth login`',
	joinsPrompts: true,
	loginOf: model => model?.split('/')[0],
	logins: {
		variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
		files: ({home, environment}) => [
			join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode', 'auth.json'),
		],
		renewals: login => Object.values(login ?? {}).map(one => valueIn(one, 'expires')),
		elsewhere: () => 'its config, and some of its models need none',
	},
	needs: ({home, environment}) => {
		const settings = join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
		const data = join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
		return {
			keeps: [data],
			apart: inFolder(data, ['bin', 'repos', 'snapshot', 'worktree']),
			sees: [
				...inFolder(settings, ['opencode.json', 'opencode.jsonc', 'config.json', 'AGENTS.md']),
				...inFolder(settings, ['node_modules', ...kinds, ...kinds.map(kind => `${kind}s`)]),
				...inFolder(home, ['.claude/CLAUDE.md', '.agents']),
			],
			// It writes these if they are missing, and doesn't start if it can't.
			copies: inFolder(settings, ['.gitignore', 'package.json', 'bun.lock', 'package-lock.json']),
		};
	},
	// A setting that disables the project's settings may disable its guide too.
	guides: ['AGENTS.md', 'CLAUDE.md'],
	// A setting of ours disables the project's settings and plugins, so none of them is a risky file.
	riskyFiles: [],
	attach: (conversation, trusted) => ({
		command: ['opencode', ...(trusted ? [] : ['--pure']), '--session', conversation],
		environment: trusted ? {} : withoutProject,
	}),
	listens: true,
	launch: given => {
		const password = given.environment.OPENCODE_SERVER_PASSWORD ?? randomUUID();
		const port = given.command.some(word => word.startsWith('--port')) ? undefined : given.port;
		return {
			command: [
				...given.command,
				...(given.trusted ? [] : ['--pure']),
				...(port === undefined ? [] : ['--hostname=127.0.0.1', `--port=${port}`]),
			],
			environment: {
				...unlessSet(given.environment, {
					OPENCODE_DISABLE_AUTOUPDATE: '1',
					// It listens on the loopback interface, which agents share, and would execute any request there.
					...(given.protocol === 'acp' ? {OPENCODE_SERVER_PASSWORD: password} : {}),
				}),
				...(given.trusted ? {} : withoutProject),
				OPENCODE_CONFIG_CONTENT: laidOver(given.environment, 'OPENCODE_CONFIG_CONTENT', {
					autoupdate: false,
					share: 'disabled',
					default_agent: 'build',
					agent: {
						build: {disable: false, permission: permission(given)},
						plan: {permission: permission(given)},
					},
					experimental: {continue_loop_on_deny: true},
					...defined({model: given.model, mcp: given.tools && server(given.tools)}),
				}),
			},
			...(port === undefined ? {} : {spent: opencodeSpent({port, password})}),
		};
	},
};

const withoutProject = {OPENCODE_DISABLE_PROJECT_CONFIG: '1'};

/**
By default it asks for almost nothing. If no person can be asked, such requests are refused, which silently ends the run.

The last matching rule decides, and a person's own rules for the same names would keep their place in the order. Only our names have an asterisk, so they come last.

A subagent's requests never reach the supervisor, so it would wait forever.
*/
const permission = ({protocol, readOnly, tools}: GivenProgram) => {
	const acting = protocol === 'acp' ? 'ask' : readOnly ? 'deny' : 'allow';
	return {
		'edit*': acting,
		'bash*': acting,
		'external_directory*': protocol === 'acp' ? 'ask' : 'deny',
		...(protocol === 'acp' ? {'webfetch*': 'ask', 'websearch*': 'ask'} : {}),
		'task*': 'deny',
		...(tools === undefined ? {} : {[`${tools.name}*`]: 'allow'}),
	};
};

/** Returns the settings of our tool server. A call that asks waits for a person, so its time limit is long. */
const server = (tools: NonNullable<GivenProgram['tools']>) => ({
	[tools.name]: {
		type: 'local',
		command: [tools.command, ...tools.args],
		environment: serverEnvironment(tools),
		timeout: 600_000,
	},
});

/** Kinds of files that a person adds to it; the folders' names may be singular or plural. */
const kinds = ['agent', 'command', 'mode', 'plugin', 'skill', 'theme', 'tool'];
