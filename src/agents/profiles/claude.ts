import {platform} from 'node:os';
import {join} from 'node:path';
import {defined} from '../../lib/values.ts';
import {toolConfigName} from '../turn.ts';
import {
	type GivenProgram,
	inFolder,
	type LoginContext,
	type Profile,
	parentFolders,
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
		version: '2.1.332',
	},
	expandsMentions: true,
	countsRequests: true,
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
	// A setting of ours disables the project's settings and servers, so none of them is a risky file.
	riskyFiles: [],
	attach: (conversation, trusted) => ({
		command: ['claude', ...sourceFlags({trusted}), '--resume', conversation],
	}),
	launch: given => ({
		command: given.protocol === 'acp' ? given.command : [...given.command, ...flags(given)],
		environment: unlessSet(given.environment, {...quiet, ...temporary(given)}),
		meta: {claudeCode: {options: options(given)}},
		mode: 'default',
	}),
};

const configFolder = ({home, environment}: LoginContext): string =>
	environment.CLAUDE_CONFIG_DIR || join(home, '.claude');

/** Sets the folder for its temporary files; its default in `/tmp` is closed in macOS's sandbox. */
const temporary = ({
	boxed,
	environment: {TMPDIR},
}: GivenProgram): Readonly<Record<string, string>> =>
	boxed && TMPDIR && platform() === 'darwin' ? {CLAUDE_CODE_TMPDIR: TMPDIR} : {};

/** Without a limit it would retry silently for more than a minute. */
const quiet = {
	CLAUDE_CODE_MAX_RETRIES: '3',
	CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};

/** Subagents would continue after its last word, outside of its scope. Background tasks would wake it after its turn. Snapshots would miss work in a worktree that it makes, and in plan mode it would wait for a permission that can't be given. */
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

/** Tools for which it asks even if the person's own settings allow them: a rule that asks takes precedence over one that allows. */
const askedTools = ['Bash', 'Edit', 'Write', 'NotebookEdit'];

/** Settings of the project can start programs and allow actions that need permission. */
const sources = ({trusted}: Pick<GivenProgram, 'trusted'>): readonly string[] =>
	trusted ? ['user', 'project', 'local'] : ['user'];

const sourceFlags = (given: Pick<GivenProgram, 'trusted'>): readonly string[] => [
	'--setting-sources',
	sources(given).join(','),
	...(given.trusted ? [] : ['--strict-mcp-config']),
];

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

/** Returns the guides that it would load from the folders above its worktree besides the project's: they are for other work. Its own guide in the person's home stays. */
const guidesAbove = (folder: string, home: string | undefined): readonly string[] =>
	parentFolders(folder).flatMap(above =>
		inFolder(above, [
			'CLAUDE.md',
			'CLAUDE.local.md',
			...(above === home ? [] : ['.claude/CLAUDE.md']),
		]),
	);

/** Its default effort is high; it ignores efforts that a model doesn't support. */
const efforts = {think: 'high', 'think-hard': 'max'} as const;

const flags = (given: GivenProgram): readonly string[] => [
	...sourceFlags(given),
	...toolFlags(given),
	'--permission-mode',
	given.readOnly ? 'plan' : 'acceptEdits',
	...(given.model === undefined ? [] : ['--model', given.model]),
	'--disallowed-tools',
	[...withheldTools, ...deniedCommands].join(','),
];

/** Returns the options for our tools in print mode, in which it refuses all tools that aren't allowed. */
const toolFlags = ({tools, folder}: GivenProgram): readonly string[] =>
	tools === undefined
		? []
		: ['--mcp-config', join(folder, toolConfigName), '--allowed-tools', `mcp__${tools.name}`];
