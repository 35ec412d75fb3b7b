import {join} from 'node:path';
import {removeEmptyTwins} from './gemini-conversations.ts';
import type {Given, Profile} from './profile.ts';

/** Gemini CLI, which speaks ACP itself. */
export const gemini: Profile = {
	vendor: 'gemini',
	title: 'Gemini CLI',
	acp: {command: ['gemini', '--acp'], package: '@google/gemini-cli', version: '0.61.0'},
	print: {
		command: ['gemini', '--output-format', 'stream-json'],
		package: '@google/gemini-cli',
		version: '0.61.0',
	},
	login: 'run `gemini` and choose a login, or set GEMINI_API_KEY',
	logins: {
		variables: [
			'GEMINI_API_KEY',
			'GOOGLE_API_KEY',
			'GOOGLE_GENAI_USE_VERTEXAI',
			'GOOGLE_GENAI_USE_GCA',
		],
		files: ({home, environment}) =>
			['oauth_creds.json', 'gemini-credentials.json', '.env'].map(name =>
				join(environment.GEMINI_CLI_HOME || home, '.gemini', name),
			),
		elsewhere: () => 'the keychain of the system',
	},
	guides: ['GEMINI.md', 'AGENTS.md', 'CLAUDE.md'],
	riskyFiles: ['.gemini', '.env'],
	withholdsServers: true,
	// Beside a person’s own settings there are those of the machine, which have to be root’s.
	printsAlone: true,
	// Its conversations are files that are named by the minute in which they were opened or taken up: taken up once more in it, one is emptied.
	waitsForMinute: true,
	playsLate: true,
	beforeTakingUp: removeEmptyTwins,
	launch: given => ({
		command: [
			...given.command,
			...(given.model === undefined ? [] : ['--model', given.model]),
			...(given.protocol === 'acp'
				? ['--admin-policy', join(given.folder, policyName)]
				: ['--approval-mode', mode(given)]),
		],
		environment: {
			// Else it starts itself a second time, and outlives its end.
			GEMINI_CLI_NO_RELAUNCH: 'true',
			GEMINI_CLI_TRUST_WORKSPACE: String(trusts(given)),
		},
		mode: 'default',
		files: {[policyName]: policy},
	}),
};

const policyName = 'gemini-policy.toml';

/** It asks for these whatever the person's own settings and policies allow, since those stand below such a policy. */
const policy = `[[rule]]
toolName = ["write_file", "replace", "run_shell_command", "save_memory"]
decision = "ask_user"
priority = 999
`;

/** In a folder that it does not trust it starts no servers at all, ours included; so it is to distrust only where there is something to distrust. */
const trusts = ({trusted, riskyFiles}: Given): boolean => trusted || riskyFiles.length === 0;

const mode = ({readOnly}: Given): string => (readOnly ? 'plan' : 'auto_edit');
