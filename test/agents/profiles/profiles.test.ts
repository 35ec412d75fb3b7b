import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
	type GivenProgram,
	installCommand,
	type ProcessLaunch,
	type Profile,
	printedBy,
} from '../../../src/agents/profiles/profile.ts';
import {builtIn, profileOf, profiles} from '../../../src/agents/profiles/profiles.ts';
import {agentVendors, streamVendors} from '../../../src/events/vendors.ts';
import {temporaryFolder, write} from '../../helpers/repository.ts';

const {claude, codex, copilot, gemini, opencode, qwen} = profiles;

const launch = (profile: Profile, given: Partial<GivenProgram> = {}) =>
	profile.launch({
		protocol: 'acp',
		command: profile.acp.command,
		environment: {},
		readOnly: false,
		trusted: false,
		riskyFiles: [],
		folder: '/given',
		...given,
	});

const print = (profile: Profile, given: Partial<GivenProgram> = {}) =>
	launch(profile, {protocol: 'text', command: printedBy(profile).command, ...given});

/** What Claude Code is told at the start of a conversation. */
const claudeOptions = (options: object) => ({claudeCode: {options}});

/** Returns the JSON that an environment variable holds. */
const json = (environment: Readonly<Record<string, string>>, name: string) =>
	JSON.parse(environment[name] ?? 'null');

/** Returns what opencode is told to ask for, by the agent that it works as. */
const permissionOf = ({environment}: ProcessLaunch) =>
	json(environment, 'OPENCODE_CONFIG_CONTENT').agent.build.permission;

describe('a login', () => {
	const claims = (exp: number) =>
		`head.${Buffer.from(JSON.stringify({exp})).toString('base64url')}`;

	it.each([
		[claude, {claudeAiOauth: {expiresAt: 5000}}, [5000]],
		[codex, {tokens: {access_token: claims(5)}, last_refresh: null}, [5000, Number.NaN]],
		[
			codex,
			{tokens: {access_token: 'none'}, last_refresh: '2026-01-01T00:00:00Z'},
			[Number.NaN, Date.parse('2026-01-09T00:00:00Z')],
		],
		[opencode, {one: {type: 'oauth', expires: 5000}, other: {type: 'api'}}, [5000, undefined]],
		[qwen, {expiry_date: 5000}, [5000]],
	])('$title is renewed at the times that its file tells: %j', (profile, login, times) => {
		expect(profile.logins.renewals?.(login)).toEqual(times);
	});

	it.each([
		undefined,
		null,
		'text',
		[],
		{},
		{OPENAI_API_KEY: 'key', tokens: null, last_refresh: '2026-01-01T00:00:00Z'},
		{tokens: 1},
	])('has no such time in %j', login => {
		for (const {logins} of Object.values(profiles)) {
			const times = logins.renewals?.(login) ?? [];
			expect(times.filter(time => Number(time) > 0)).toEqual([]);
		}
	});
});

describe('every vendor', () => {
	it.each(streamVendors)('%s is built in over ACP and as a printing text agent', vendor => {
		expect(builtIn[vendor]).toMatchObject({protocol: 'acp', vendor});
		expect(builtIn[`${vendor}-print`]).toMatchObject({protocol: 'text', stream: vendor});
		expect(Object.keys(builtIn)).toHaveLength(agentVendors.length + streamVendors.length);
		for (const name of [vendor, `${vendor}-print`]) {
			const agent = builtIn[name];
			expect(agent && profileOf(agent)).toBe(profiles[vendor]);
		}
	});

	it('is installed at the version that was tried', () => {
		expect(agentVendors.map(vendor => installCommand(profiles[vendor].acp))).toEqual([
			'npm install -g @agentclientprotocol/claude-agent-acp@0.101.0',
			'npm install -g @agentclientprotocol/codex-acp@2.6.0',
			'npm install -g @google/gemini-cli@0.61.0',
			'npm install -g opencode-ai@1.18.33',
			'npm install -g @qwen-code/qwen-code@0.24.4',
			'npm install -g @github/copilot@1.0.102',
		]);
	});

	it('is unknown of an agent that does not name it', () => {
		expect(profileOf({protocol: 'acp', command: ['claude-agent-acp']})).toBeUndefined();
		expect(profileOf({protocol: 'text', command: ['claude', '-p']})).toBeUndefined();
	});
});

describe('Gemini CLI', () => {
	it.each([
		'echo $(date)',
		'echo "it’s $(date)"',
		'echo "it\'s $(date)"',
		'echo `date`',
		'diff <(sort a) b',
		'echo "`date`"',
	])('runs no substitution: %s', command => {
		expect(gemini.whyNotRun?.(command)).toContain('write it without them');
	});

	it.each([
		"echo '$(date)'",
		String.raw`echo \$\(date\)`,
		String.raw`echo "\$(date) \`x\`"`,
		'echo "a <(b) c"',
		'npm test && (cd src; ls) > out.txt',
	])('is asked to run %s', command => {
		expect(gemini.whyNotRun?.(command)).toBeUndefined();
	});

	it('has an identity for commits where nobody’s settings are read', () => {
		const folder = temporaryFolder();
		const {environment} = launch(gemini, {
			environment: {
				GIT_CONFIG_COUNT: '1',
				GIT_CONFIG_KEY_0: 'protocol.allow',
				GIT_CONFIG_VALUE_0: 'never',
			},
		});
		const env = {
			PATH: process.env.PATH,
			GIT_CONFIG_KEY_0: 'protocol.allow',
			GIT_CONFIG_VALUE_0: 'never',
			...environment,
			GIT_CONFIG_GLOBAL: '/dev/null',
			GIT_CONFIG_NOSYSTEM: '1',
		};
		const git = (...words: readonly string[]) =>
			execFileSync('git', words, {cwd: folder, env, encoding: 'utf8'});
		git('init', '--quiet');
		git('commit', '--quiet', '--allow-empty', '--message', 'One');
		git('config', 'user.email', 'test@example.org');
		git('commit', '--quiet', '--allow-empty', '--message', 'Two');
		expect(git('log', '--format=%an <%ae>')).toBe(
			'Gemini CLI <test@example.org>\nGemini CLI <gemini-cli@localhost>\n',
		);
		expect(git('config', 'protocol.allow')).toBe('never\n');
	});
});

describe('Codex below /tmp', () => {
	it.each([
		['its checkout', {checkout: '/tmp/project'}, true],
		['its home', {environment: {HOME: '/tmp/me'}}, true],
		['neither', {checkout: '/home/me/tmp/project', environment: {HOME: '/home/me'}}, false],
		['its checkout, in a sandbox of ours', {checkout: '/tmp/project', boxed: true}, false],
	])('is warned of where that holds %s', (_, given, isWarned) => {
		expect(launch(codex, given).warning !== undefined).toBe(isWarned);
	});
});

describe('what a project keeps for an agent', () => {
	const options = (given: Partial<GivenProgram> = {}) => launch(claude, given).meta;

	it('is not loaded by Claude Code unless a person trusts it', () => {
		expect(options()).toMatchObject(claudeOptions({settingSources: ['user']}));
		expect(options({trusted: true})).toMatchObject(
			claudeOptions({settingSources: ['user', 'project', 'local']}),
		);
		expect(print(claude).command.join(' ')).toContain('--setting-sources user --strict-mcp-config');
		expect(print(claude, {trusted: true}).command).not.toContain('--strict-mcp-config');
	});

	it('is loaded by Claude Code without guides of the folders above its worktree', () => {
		const given = {folder: '/home/me/state/one/launch', environment: {HOME: '/home/me'}};
		expect(options(given)).not.toHaveProperty('claudeCode.options.settings.claudeMdExcludes');
		expect(options({...given, trusted: true})).toHaveProperty(
			'claudeCode.options.settings.claudeMdExcludes',
			[
				...['/home/me/state/one/CLAUDE.md', '/home/me/state/one/CLAUDE.local.md'],
				...['/home/me/state/one/.claude/CLAUDE.md', '/home/me/state/CLAUDE.md'],
				...['/home/me/state/CLAUDE.local.md', '/home/me/state/.claude/CLAUDE.md'],
				...['/home/me/CLAUDE.md', '/home/me/CLAUDE.local.md'],
				...['/home/CLAUDE.md', '/home/CLAUDE.local.md', '/home/.claude/CLAUDE.md'],
				...['/CLAUDE.md', '/CLAUDE.local.md', '/.claude/CLAUDE.md'],
			],
		);
	});

	it('is loaded by Qwen Code with guides of the folders above, of which the person is warned', () => {
		const above = temporaryFolder();
		const given = {folder: join(above, 'one/launch'), trusted: true};
		expect(launch(qwen, given)).not.toHaveProperty('warning');
		write(above, {'QWEN.md': 'Be brief.\n'});
		expect(launch(qwen, given)).toHaveProperty(
			'warning',
			`It also loads ${join(above, 'QWEN.md')}, above its worktree.`,
		);
		expect(launch(qwen, {...given, trusted: false})).not.toHaveProperty('warning');
		expect(launch(qwen, {...given, boxed: true})).not.toHaveProperty('warning');
	});

	it('keeps Codex from being started unless a person trusts it', () => {
		const riskyFiles = ['.codex/config.toml'];
		expect(() => launch(codex, {riskyFiles})).toThrow(
			'Codex would run programs that the project’s .codex/config.toml names before it asks anyone; to allow that, add `trust: project` to its profile.',
		);
		expect(launch(codex, {riskyFiles, trusted: true}).command).toEqual(['codex-acp']);
		expect(launch(codex).command).toEqual(['codex-acp']);
		expect(print(codex, {riskyFiles}).command).toContain('--json');
	});

	it('keeps Copilot CLI from being started unless a person trusts it, and Qwen Code bare', () => {
		const riskyFiles = ['.github/hooks'];
		expect(() => launch(copilot, {riskyFiles})).toThrow(
			'Copilot CLI would run programs that the project’s .github/hooks names before it asks anyone',
		);
		expect(launch(copilot, {riskyFiles, trusted: true}).command[0]).toBe('copilot');
		expect(launch(qwen, {model: 'm'}).command.slice(-3)).toEqual(['--bare', '--model', 'm']);
		expect(launch(qwen, {trusted: true}).command).not.toContain('--bare');
	});

	it('vendors Gemini CLI distrust the folder; without it, tools may be started there', () => {
		const trust = (given: Partial<GivenProgram>) =>
			launch(gemini, given).environment.GEMINI_CLI_TRUST_WORKSPACE;
		expect(trust({riskyFiles: ['.gemini']})).toBe('false');
		expect(trust({})).toBe('true');
		expect(trust({riskyFiles: ['.gemini'], trusted: true})).toBe('true');
		const environment = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
		expect(trust({riskyFiles: ['.env'], environment})).toBe('false');
	});

	it('is not loaded by opencode unless a person trusts it', () => {
		expect(launch(opencode)).toMatchObject({
			command: ['opencode', 'acp', '--pure'],
			environment: {OPENCODE_DISABLE_PROJECT_CONFIG: '1'},
		});
		const trusted = launch(opencode, {trusted: true});
		expect(trusted.command).toEqual(['opencode', 'acp']);
		expect(trusted.environment).not.toHaveProperty('OPENCODE_DISABLE_PROJECT_CONFIG');
	});
});

describe('agents of its own', () => {
	it('can be started by no vendor', () => {
		expect(launch(claude).meta).toMatchObject(
			claudeOptions({disallowedTools: expect.arrayContaining(['Agent', 'Task'])}),
		);
		expect(print(claude).command.at(-1)).toContain('Agent,Task');
		expect(json(launch(codex).environment, 'CODEX_CONFIG').features).toEqual({multi_agent: false});
		expect(print(codex).command.join(' ')).toContain('--disable multi_agent');
		expect(permissionOf(launch(opencode))['task*']).toBe('deny');
		expect(launch(copilot).command).toContain(
			'--excluded-tools=task,write_agent,read_agent,list_agents',
		);
		expect(launch(qwen, {trusted: true}).command.join(' ')).toContain('--exclude-tools agent');
	});
});

describe('the mode of an agent', () => {
	it('is one in which it asks', () => {
		expect(launch(claude).mode).toBe('default');
		expect(launch(gemini).mode).toBe('default');
		expect(launch(codex)).toMatchObject({
			mode: 'workspace-write',
			environment: {INITIAL_AGENT_MODE: 'workspace-write'},
		});
		const {experimental} = json(launch(opencode).environment, 'OPENCODE_CONFIG_CONTENT');
		expect(permissionOf(launch(opencode))).toMatchObject({
			'edit*': 'ask',
			'bash*': 'ask',
			'external_directory*': 'ask',
			'webfetch*': 'ask',
		});
		expect(experimental.continue_loop_on_deny).toBe(true);
	});

	it('is one in which it can only read, when it may write nothing', () => {
		expect(launch(codex, {readOnly: true}).mode).toBe('read-only');
		expect(print(codex, {readOnly: true}).command.join(' ')).toContain('--sandbox read-only');
		expect(print(claude, {readOnly: true}).command.join(' ')).toContain('--permission-mode plan');
		expect(print(gemini, {readOnly: true}).command.join(' ')).toContain('--approval-mode plan');
		expect(permissionOf(print(opencode, {readOnly: true}))).toMatchObject({
			'edit*': 'deny',
			'bash*': 'deny',
		});
	});
});

describe('rules of a person that allow what an agent should ask for', () => {
	it('are beaten by rules of Claude Code that ask', () => {
		const permissions = {ask: ['Bash', 'Edit', 'Write', 'NotebookEdit']};
		expect(launch(claude).meta).toMatchObject(
			claudeOptions({settings: {permissions, sandbox: {autoAllowBashIfSandboxed: false}}}),
		);
	});

	it('stand below a policy that Gemini CLI is started with', () => {
		const {command, files} = launch(gemini);
		expect(command.join(' ')).toContain('--admin-policy /given/gemini-policy.toml');
		expect(files?.['gemini-policy.toml']).toContain('"write_file", "replace", "run_shell_command"');
		expect(print(gemini).command).not.toContain('--admin-policy');
	});

	it('come before those of ours in opencode, where the last one decides', () => {
		const mine = {edit: 'allow', bash: 'allow', '*': 'allow'};
		const environment = {
			OPENCODE_CONFIG_CONTENT: JSON.stringify({
				default_agent: 'mine',
				agent: {build: {model: 'm-1', permission: mine}, plan: {permission: mine}},
			}),
		};
		const equipped = launch(opencode, {environment});
		const names = Object.keys(permissionOf(equipped));
		expect(names.slice(0, 3)).toEqual(Object.keys(mine));
		expect(names).toEqual(expect.arrayContaining(['edit*', 'bash*', 'external_directory*']));
		expect(json(equipped.environment, 'OPENCODE_CONFIG_CONTENT')).toMatchObject({
			default_agent: 'build',
			agent: {build: {model: 'm-1', disable: false}, plan: {permission: {'edit*': 'ask'}}},
		});
	});
});

describe('tools with which it would leave its place or its turn', () => {
	it('are withheld from Claude Code', () => {
		const tools = ['EnterWorktree', 'CronCreate', 'SendMessage', 'Monitor', 'EnterPlanMode'];
		expect(launch(claude).meta).toMatchObject(
			claudeOptions({disallowedTools: expect.arrayContaining(tools)}),
		);
	});
});

describe('what would be asked or sent behind a person’s back', () => {
	it('is turned off', () => {
		expect(launch(claude)).toMatchObject({
			environment: {CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1'},
			meta: claudeOptions({promptSuggestions: false}),
		});
		expect(launch(codex).environment.NO_BROWSER).toBe('1');
		expect(json(launch(codex).environment, 'CODEX_CONFIG').analytics).toEqual({enabled: false});
		expect(launch(opencode).environment.OPENCODE_DISABLE_AUTOUPDATE).toBe('1');
		expect(json(launch(opencode).environment, 'OPENCODE_CONFIG_CONTENT')).toMatchObject({
			autoupdate: false,
			share: 'disabled',
		});
	});
});

it('opencode, which listens where other agents can connect, asks for a word that each start has for itself', () => {
	const words = [launch(opencode), launch(opencode)].map(
		({environment}) => environment.OPENCODE_SERVER_PASSWORD,
	);
	expect(new Set(words).size).toBe(2);
	expect(words).not.toContain(undefined);
	const environment = {OPENCODE_SERVER_PASSWORD: 'mine'};
	expect(launch(opencode, {environment}).environment).not.toHaveProperty(
		'OPENCODE_SERVER_PASSWORD',
	);
});

it('Codex finds a conversation in use that a person has open outside the sandbox, since it sees their locks', () => {
	const {keeps} = codex.needs({home: '/home', environment: {}});
	expect(keeps).toContain('/home/.codex/thread-writer-locks');
});

describe('a push', () => {
	it('is denied by Claude Code itself, which can’t be told to ask for nothing', () => {
		expect(launch(claude).meta).toMatchObject(
			claudeOptions({
				allowDangerouslySkipPermissions: false,
				settings: {permissions: {deny: ['Bash(git push:*)']}},
			}),
		);
		expect(print(claude).command.at(-1)).toContain('Bash(git push:*)');
	});
});

describe('our tools', () => {
	const tools = {
		name: 'delegate-tui',
		command: '/bin/node',
		args: ['cli.cjs', 'agent-tools'],
		env: [{name: 'DELEGATE_MCP_TOKEN', value: 'secret'}],
	};

	it('are allowed beforehand where nobody can be asked', () => {
		const words = print(claude, {tools}).command.join(' ');
		expect(words).toContain('--mcp-config /given/mcp.json --allowed-tools mcp__delegate-tui');
		expect(print(codex, {tools}).command).toEqual(
			expect.arrayContaining([
				'mcp_servers.delegate-tui.command="/bin/node"',
				'mcp_servers.delegate-tui.args=["cli.cjs","agent-tools"]',
				'mcp_servers.delegate-tui.env_vars=["DELEGATE_MCP_TOKEN"]',
				'mcp_servers.delegate-tui.default_tools_approval_mode="approve"',
			]),
		);
		const equipped = print(opencode, {tools});
		expect(permissionOf(equipped)).toMatchObject({'delegate-tui*': 'allow'});
		expect(json(equipped.environment, 'OPENCODE_CONFIG_CONTENT').mcp).toMatchObject({
			'delegate-tui': {
				command: ['/bin/node', 'cli.cjs', 'agent-tools'],
				environment: {DELEGATE_MCP_TOKEN: 'secret'},
			},
		});
	});

	it('are started by Copilot CLI from a file of ours, and named to Qwen Code one by one', () => {
		const {command, files = {}} = launch(copilot, {tools});
		expect(command).toEqual(
			expect.arrayContaining([
				'--additional-mcp-config',
				'@/given/copilot-mcp.json',
				'--allow-tool=delegate-tui',
			]),
		);
		expect(JSON.parse(files['copilot-mcp.json'] ?? '')).toMatchObject({
			mcpServers: {'delegate-tui': {type: 'local', env: {DELEGATE_MCP_TOKEN: 'secret'}}},
		});
		expect(command.join(' ')).not.toContain('secret');
		expect(launch(qwen).command).toEqual(
			expect.arrayContaining(['--allowed-tools', 'mcp__delegate-tui__ask']),
		);
	});

	it('are in no argument with their token, since everybody on the machine can read those', () => {
		for (const profile of [claude, codex, gemini, opencode]) {
			expect(print(profile, {tools}).command.join(' ')).not.toContain('secret');
		}
	});
});

describe('the model that a person wants', () => {
	it('is told to each vendor in its own way', () => {
		const model = 'm-1';
		expect(launch(claude, {model}).meta).toMatchObject(claudeOptions({model}));
		expect(json(launch(codex, {model}).environment, 'CODEX_CONFIG').model).toBe(model);
		expect(launch(gemini, {model}).command).toEqual(
			expect.arrayContaining(['gemini', '--acp', '--model', model]),
		);
		const {environment} = launch(opencode, {model});
		expect(json(environment, 'OPENCODE_CONFIG_CONTENT').model).toBe(model);
		for (const profile of [claude, codex, gemini]) {
			expect(print(profile, {model}).command.join(' ')).toContain('--model m-1');
		}
	});
});

describe('how hard an agent thinks', () => {
	it('is told Claude Code as its effort', () => {
		const options = (given: Partial<GivenProgram>) => launch(claude, given).meta;
		expect(options({thinking: 'think'})).toMatchObject(claudeOptions({effort: 'high'}));
		expect(options({thinking: 'think-hard'})).toMatchObject(claudeOptions({effort: 'max'}));
		expect(JSON.stringify(options({}))).not.toContain('effort');
	});

	it('is told Codex by its config, and where it prints by its words', () => {
		const config = (given: Partial<GivenProgram>) =>
			json(launch(codex, given).environment, 'CODEX_CONFIG').model_reasoning_effort;
		expect([config({thinking: 'think-hard'}), config({})]).toEqual(['high', undefined]);
		expect(print(codex, {thinking: 'think'}).command).toContain('model_reasoning_effort="medium"');
	});
});

describe('what a person has set in the environment', () => {
	it('is kept where it is theirs to set, and laid over where it would let an agent out', () => {
		const environment = {
			CLAUDE_CODE_MAX_RETRIES: '9',
			CODEX_CONFIG: '{"model_providers":{"mine":{}},"features":{"multi_agent":true,"other":true}}',
			INITIAL_AGENT_MODE: 'agent-full-access',
		};
		expect(launch(claude, {environment}).environment).not.toHaveProperty('CLAUDE_CODE_MAX_RETRIES');
		expect(launch(claude).environment.CLAUDE_CODE_MAX_RETRIES).toBe('3');
		const equipped = launch(codex, {environment}).environment;
		expect(json(equipped, 'CODEX_CONFIG')).toMatchObject({
			model_providers: {mine: {}},
			features: {multi_agent: false, other: true},
		});
		expect(equipped.INITIAL_AGENT_MODE).toBe('workspace-write');
	});

	it('is named when it can’t be read', () => {
		const environment = {OPENCODE_CONFIG_CONTENT: '[not json'};
		expect(() => launch(opencode, {environment})).toThrow(
			'The environment variable OPENCODE_CONFIG_CONTENT holds no JSON object.',
		);
	});
});

describe('a shell of Codex', () => {
	it('keeps the PATH that it is given, in front of which programs refuse', () => {
		const settings = json(launch(codex).environment, 'CODEX_CONFIG');
		expect(settings.allow_login_shell).toBe(false);
		expect(print(codex).command).toContain('allow_login_shell=false');
	});

	it('has all three variables that keep git from pushing, since two of them alone would break it', () => {
		const {set} = json(launch(codex).environment, 'CODEX_CONFIG').shell_environment_policy;
		expect(set).toEqual({
			GIT_CONFIG_COUNT: '1',
			GIT_CONFIG_KEY_0: 'protocol.allow',
			GIT_CONFIG_VALUE_0: 'never',
		});
		expect(print(codex).command.join(' ')).toContain(
			'shell_environment_policy.set.GIT_CONFIG_KEY_0="protocol.allow"',
		);
	});
});

describe('Gemini CLI', () => {
	it('does not start itself again, and is waited for before a conversation is taken up', () => {
		expect(launch(gemini).environment.GEMINI_CLI_NO_RELAUNCH).toBe('true');
		expect(gemini.waitsForMinute).toBe(true);
		expect(profiles.claude.waitsForMinute).toBeUndefined();
	});
});
