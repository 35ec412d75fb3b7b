import {join} from 'node:path';
import {attempt} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {
	type GivenProgram,
	inFolder,
	type LoginContext,
	laidOver,
	type Profile,
	requireNoRiskyFile,
	unlessSet,
	valueIn,
} from './profile.ts';

/** Codex, over its adapter. */
export const codex: Profile = {
	vendor: 'codex',
	title: 'Codex',
	acp: {command: ['codex-acp'], package: '@agentclientprotocol/codex-acp', version: '2.6.0'},
	print: {command: ['codex', 'exec', '--json'], package: '@openai/codex', version: '0.171.0'},
	login: 'run `codex login`, or set OPENAI_API_KEY',
	// Commands that its rules allow run unasked and outside its sandbox.
	settingsHome: {variable: 'CODEX_HOME', path: context => home(context), rules: ['rules']},
	logins: {
		variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
		files: context => [join(home(context), 'auth.json')],
		renewals: login => renewals(login),
		elsewhere: () => 'the keyring of the system',
	},
	needs: context => ({
		folder: home(context),
		// It locks a conversation that it has open.
		keeps: inFolder(home(context), ['sessions', 'thread-writer-locks']),
		sees: [
			...inFolder(home(context), ['config.toml', 'AGENTS.md', 'rules', 'prompts']),
			join(context.home, '.agents'),
		],
	}),
	// It loads AGENTS.md itself, which runs nothing.
	guides: [],
	riskyFiles: ['.codex/config.toml', '.codex/hooks.json'],
	beginsWithoutServers: true,
	countsRequests: true,
	attach: conversation => ({command: ['codex', 'resume', conversation]}),
	launch: given => (given.protocol === 'acp' ? overAcp(given) : printing(given)),
};

/** Returns when it renews a login: at the expiry of its token, or when that is eight days old. */
const renewals = (login: unknown) => {
	const token = valueIn(login, 'tokens', 'access_token');
	if (typeof token !== 'string') {
		return [];
	}

	const [, claims = ''] = token.split('.');
	const read = attempt(() => JSON.parse(Buffer.from(claims, 'base64url').toString()));
	const renewed = Date.parse(`${valueIn(login, 'last_refresh')}`);
	return [Number(valueIn(read, 'exp')) * 1000, renewed + 8 * 24 * 3_600_000];
};

const home = ({home, environment}: LoginContext): string =>
	environment.CODEX_HOME || join(home, '.codex');

/** Its adapter trusts every folder in which it starts, regardless of the person's settings, so it runs the project's files before it asks anything. No setting prevents that, so these files must not exist. */
const overAcp = (given: GivenProgram) => {
	const {thinking, model} = given;
	requireNoRiskyFile(codex, given);
	return {
		command: given.command,
		environment: {
			...unlessSet(given.environment, {NO_BROWSER: '1'}),
			INITIAL_AGENT_MODE: mode(given),
			CODEX_CONFIG: laidOver(given.environment, 'CODEX_CONFIG', {
				...settings,
				...defined({model_reasoning_effort: thinking && efforts[thinking], model}),
			}),
		},
		mode: mode(given),
		...defined({warning: warning(given)}),
	};
};

/** Returns a warning if Codex's own sandbox allows writes to the checkout or the home because these are below `/tmp`. */
const warning = ({boxed, checkout, environment}: GivenProgram): string | undefined => {
	const within = [checkout, environment.HOME].find(path => path?.startsWith('/tmp/'));
	return boxed || within === undefined
		? undefined
		: `Codex writes below /tmp without asking, so also in ${within}; only a sandbox keeps it from that.`;
};

/** Returns the mode. In its default mode a model decides in the person's place. Inside our sandbox its own one fails at each command, so it is turned off. */
const mode = ({boxed, readOnly}: GivenProgram): string => {
	if (boxed) {
		return 'agent-full-access';
	}

	return readOnly ? 'read-only' : 'workspace-write';
};

/** Variables for git: Codex withholds variables whose names look like secrets, as one of these does. */
const gitVariables = {
	GIT_CONFIG_COUNT: '1',
	GIT_CONFIG_KEY_0: 'protocol.allow',
	GIT_CONFIG_VALUE_0: 'never',
};

/** Higher efforts aren't supported by all models. */
const efforts = {think: 'medium', 'think-hard': 'high'} as const;

const settings = {
	features: {multi_agent: false},
	// A login shell would remove the refusing programs from `PATH`.
	allow_login_shell: false,
	shell_environment_policy: {set: gitVariables},
	analytics: {enabled: false},
};

/** Returns the launch settings of the plain CLI. It ignores an untrusted project's settings, so no files are refused. */
const printing = (given: GivenProgram) => ({
	command: [
		...given.command,
		'--sandbox',
		given.boxed ? 'danger-full-access' : mode(given),
		'--disable',
		'multi_agent',
		'-c',
		`allow_login_shell=${settings.allow_login_shell}`,
		...Object.entries(gitVariables).flatMap(([name, value]) => [
			'-c',
			`shell_environment_policy.set.${name}="${value}"`,
		]),
		...(given.thinking === undefined
			? []
			: ['-c', `model_reasoning_effort="${efforts[given.thinking]}"`]),
		...toolFlags(given),
		...(given.model === undefined ? [] : ['--model', given.model]),
		'-',
	],
	environment: {},
});

/**
In print mode it cancels each call of a server that isn't approved beforehand ([codex 24135](https://github.com/openai/codex/issues/24135)), and after a minute one that waits for a person.

The server gets its settings from the environment, since all users of the machine can read arguments.
*/
const toolFlags = ({tools}: GivenProgram): readonly string[] =>
	tools === undefined
		? []
		: Object.entries({
				command: tools.command,
				args: tools.args,
				env_vars: tools.env.map(({name}) => name),
				default_tools_approval_mode: 'approve',
				tool_timeout_sec: 600,
			}).flatMap(([key, value]) => [
				'-c',
				`mcp_servers.${tools.name}.${key}=${JSON.stringify(value)}`,
			]);
