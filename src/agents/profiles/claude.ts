import {platform} from 'node:os';
import {dirname, join} from 'node:path';
import {defined} from '../../lib/values.ts';
import {toolConfigName} from '../turn.ts';
import {
	type GivenProgram,
	inFolder,
	type LoginContext,
	type Profile,
	unlessSet,
	valueIn,
} from './profile.ts';

/** Claude Code, over its adapter. */
export const claude: Profile = {
	vendor: 'claude',
	title: 'Claude Code',
	acp: {
		command: ['claude-agent-acp'],
		package: '@agentclientprotocol/claude-agent-acp',
		version: '0.101.0',
		oldest: '0.100.0',
	},
	print: {
		command: ['claude', '-p', '--output-format', 'stream-json', '--verbose'],
		package: '@anthropic-ai/claude-code',
		version: '2.1.316',
	},
	expandsMentions: true,
	login:
		platform() === 'darwin'
			? 'set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN to what `claude setup-token` prints; where files are not protected, /login in `claude` is enough'
			: 'run `claude` and type /login, or set ANTHROPIC_API_KEY',
	logins: {
		variables: [
			'ANTHROPIC_API_KEY',
			'ANTHROPIC_AUTH_TOKEN',
			'CLAUDE_CODE_OAUTH_TOKEN',
			'CLAUDE_CODE_USE_BEDROCK',
			'CLAUDE_CODE_USE_VERTEX',
		],
		files: context => [join(configFolder(context), '.credentials.json')],
		renewals: login => [valueIn(login, 'claudeAiOauth', 'expiresAt')],
		elsewhere: platform =>
			platform === 'darwin'
				? 'the keychain, which it doesn’t see while files are protected'
				: undefined,
	},
	needs: context => {
		const folder = configFolder(context);
		const apart = context.environment.CLAUDE_CONFIG_DIR;
		return {
			folder,
			keeps: [join(folder, 'projects')],
			sees: [
				...inFolder(folder, [
					'settings.json',
					'CLAUDE.md',
					'rules',
					'skills',
					'agents',
					'commands',
				]),
				join(context.home, '.config', 'anthropic'),
			],
			copies: [join(apart || context.home, '.claude.json')],
		};
	},
	guides: ['CLAUDE.md', 'AGENTS.md'],
	// Its settings and servers of the project are left aside by a setting, so none of them is a risky file.
	riskyFiles: [],
	attach: conversation => ['claude', '--resume', conversation],
	launch: given => ({
		command: given.protocol === 'acp' ? given.command : [...given.command, ...flags(given)],
		environment: unlessSet(given.environment, {...quiet, ...temporary(given)}),
		meta: {claudeCode: {options: options(given)}},
		mode: 'default',
	}),
};

const configFolder = ({home, environment}: LoginContext): string =>
	environment.CLAUDE_CONFIG_DIR || join(home, '.claude');

/** What it keeps in `/tmp` by itself, which macOS's sandbox closes. */
const temporary = ({
	boxed,
	environment: {TMPDIR},
}: GivenProgram): Readonly<Record<string, string>> =>
	boxed && TMPDIR && platform() === 'darwin' ? {CLAUDE_CODE_TMPDIR: TMPDIR} : {};

/** Without a bound it tries again for more than a minute, and says nothing of it. */
const quiet = {
	CLAUDE_CODE_MAX_RETRIES: '3',
	CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};

/**
Agents of its own would work on after its last word, and nobody sees to their scope. What runs in the background would wake it when its turn is over. In a worktree of its own making no snapshot would find its work, and in its plan mode it would wait for a leave that nobody can give.
*/
const withheldTools = [
	'Agent',
	'Task',
	'Workflow',
	'ScheduleWakeup',
	'CronCreate',
	'Monitor',
	'SendMessage',
	'EnterWorktree',
	'EnterPlanMode',
];

const deniedCommands = ['Bash(git push:*)'];

/**
Tools for which it asks even where the person's own settings allow them: a rule that asks beats one that allows.
*/
const askedTools = ['Bash', 'Edit', 'Write', 'NotebookEdit'];

/** Settings of the project can start programs and allow what should be asked. */
const sources = ({trusted}: GivenProgram): readonly string[] =>
	trusted ? ['user', 'project', 'local'] : ['user'];

const options = (given: GivenProgram) => ({
	settingSources: sources(given),
	disallowedTools: withheldTools,
	allowDangerouslySkipPermissions: false,
	promptSuggestions: false,
	settings: {
		permissions: {deny: deniedCommands, ask: askedTools},
		...(given.trusted ? {claudeMdExcludes: guidesAbove(given.folder, given.environment.HOME)} : {}),
		sandbox: given.boxed ? {enabled: false} : {autoAllowBashIfSandboxed: false},
	},
	...defined({effort: given.thinking && efforts[given.thinking], model: given.model}),
});

/** Returns the guides that it would load from the folders above its worktree with those of the project: they are there for other work, and its own in a person's home stays. */
const guidesAbove = (folder: string, home: string | undefined): readonly string[] => {
	const above = dirname(folder);
	const names = ['CLAUDE.md', 'CLAUDE.local.md', ...(above === home ? [] : ['.claude/CLAUDE.md'])];
	return above === folder ? [] : [...inFolder(above, names), ...guidesAbove(above, home)];
};

/** By itself it makes a high effort; what a model can't do it leaves out. */
const efforts = {think: 'high', 'think-hard': 'max'} as const;

const flags = (given: GivenProgram): readonly string[] => [
	'--setting-sources',
	sources(given).join(','),
	...(given.trusted ? [] : ['--strict-mcp-config']),
	...toolFlags(given),
	'--permission-mode',
	given.readOnly ? 'plan' : 'acceptEdits',
	...(given.model === undefined ? [] : ['--model', given.model]),
	'--disallowed-tools',
	[...withheldTools, ...deniedCommands].join(','),
];

/** Where it prints it refuses what nobody has allowed, our tools as well. */
const toolFlags = ({tools, folder}: GivenProgram): readonly string[] =>
	tools === undefined
		? []
		: ['--mcp-config', join(folder, toolConfigName), '--allowed-tools', `mcp__${tools.name}`];
