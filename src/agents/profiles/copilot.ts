import {join} from 'node:path';
import {serverEnvironment} from '../turn.ts';
import {
	type GivenProgram,
	inFolder,
	type LoginContext,
	type Profile,
	requireNoRiskyFile,
	unlessSet,
} from './profile.ts';

/** GitHub Copilot CLI, which speaks ACP itself. */
export const copilot: Profile = {
	vendor: 'copilot',
	title: 'Copilot CLI',
	acp: {command: ['copilot', '--acp'], package: '@github/copilot', version: '1.0.102'},
	login: 'run `copilot login`, or set COPILOT_GITHUB_TOKEN',
	logins: {
		variables: [
			...['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
			...['COPILOT_PROVIDER_BASE_URL', 'COPILOT_PROVIDER_API_KEY'],
		],
		files: context => [join(home(context), 'config.json')],
		elsewhere: () => 'the keychain of the system',
	},
	needs: context => ({
		folder: home(context),
		keeps: [join(home(context), 'session-state')],
		sees: inFolder(home(context), ['settings.json', 'copilot-instructions.md', 'skills']),
	}),
	// It loads AGENTS.md and .github/copilot-instructions.md itself, which run nothing.
	guides: [],
	riskyFiles: ['.github/hooks'],
	takesToolsAtStart: true,
	notices: /^Info: (?:Disabled tools: .*|Operation cancelled by user|.* [Rr]etrying\.\.\.)$/,
	failsBy: 'Error: ',
	countsOn: true,
	attach: conversation => ({command: ['copilot', '--resume', conversation]}),
	launch: given => {
		// It runs project hooks when a conversation opens.
		requireNoRiskyFile(copilot, given);
		return {
			command: [
				...given.command,
				'--no-auto-update',
				// Its own servers push and open pull requests.
				'--disable-builtin-mcps',
				`--excluded-tools=${withheld.join(',')}`,
				...(given.model === undefined ? [] : ['--model', given.model]),
				...toolFlags(given),
			],
			environment: {
				...unlessSet(given.environment, {COPILOT_AUTO_UPDATE: 'false'}),
				COPILOT_ALLOW_ALL: 'false',
			},
			mode: 'https://agentclientprotocol.com/protocol/session-modes#agent',
			files: filesFor(given),
		};
	},
};

const home = ({home, environment}: LoginContext): string =>
	environment.COPILOT_HOME || join(home, '.copilot');

/** Subagents would continue after its last word, outside of its scope. */
const withheld = ['task', 'write_agent', 'read_agent', 'list_agents'];

const configName = 'copilot-mcp.json';

/** Returns the options for our tools. Over the protocol it only accepts servers on the network, but it starts those in a file of this kind. */
const toolFlags = ({tools, folder}: GivenProgram): readonly string[] =>
	tools === undefined
		? []
		: ['--additional-mcp-config', `@${join(folder, configName)}`, `--allow-tool=${tools.name}`];

const filesFor = ({tools}: GivenProgram): Readonly<Record<string, string>> => {
	if (tools === undefined) {
		return {};
	}

	const {name, command, args} = tools;
	const server = {type: 'local', command, args, env: serverEnvironment(tools), tools: ['*']};
	return {[configName]: JSON.stringify({mcpServers: {[name]: server}})};
};
