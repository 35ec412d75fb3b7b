import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {Failure} from '../../lib/failure.ts';
import {textInFile} from '../../lib/files/reading.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import type {Spoken} from '../acp/replay.ts';
import {type GivenProgram, inFolder, type LoginContext, type Profile} from './profile.ts';

/**
Removes the empty files that Gemini CLI has left beside a conversation: each time it resumes one it creates a file of the same name.

At its start, it removes empty conversations, with all files whose names end like theirs. So the next start would remove the conversation itself.
*/
export const removeEmptyTwins = async (
	conversation: string,
	context: LoginContext,
): Promise<void> => {
	for await (const paths of filesOf(conversation, context)) {
		// Only the kind of each is kept: together they may be larger than the memory.
		const kinds = paths.map(path => read(path, conversation).kind);
		if (kinds.includes('conversation')) {
			const empty = paths.filter((_, index) => kinds[index] === 'empty');
			await Promise.all(empty.map(path => rm(path, {force: true})));
		}
	}
};

/** Yields the files of each project whose names end like those of a conversation. */
async function* filesOf(
	conversation: string,
	{home, environment}: LoginContext,
): AsyncGenerator<readonly string[]> {
	const projects = join(environment.GEMINI_CLI_HOME || home, '.gemini', 'tmp');
	const end = `-${conversation.slice(0, 8)}.jsonl`;
	for (const project of await namesIn(projects)) {
		const folder = join(projects, project, 'chats');
		yield inFolder(
			folder,
			(await namesIn(folder)).filter(name => name.endsWith(end)),
		);
	}
}

/** Maximum length of a conversation that is read, in bytes; any agent can put a file there. */
const mostBytes = 256 * 2 ** 20;

type Line = ReturnType<typeof readJsonObject>;

type Found = {
	readonly kind: 'conversation' | 'empty' | 'other';
	readonly lines: readonly Line[];
};

const read = (path: string, conversation: string): Found => {
	const lines = textInFile(path, mostBytes)
		.split('\n')
		.filter(text => text !== '')
		.map(readJsonObject);
	const isOther = lines[0]?.sessionId !== conversation;
	return {
		kind: isOther ? 'other' : lines.every(saysNothing) ? 'empty' : 'conversation',
		lines,
	};
};

/** Returns whether a line contains no message: messages have a type, and a `$set` of a single one is the start prompt. */
const saysNothing = (line: Line): boolean =>
	line !== undefined &&
	line.type === undefined &&
	(line.$set === undefined || setsNothing.safeParse(line.$set).success);

const setsNothing = z.looseObject({
	messages: z.optional(z.array(z.unknown()).check(z.maxLength(1))),
});

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/**
Reads the words of a Gemini CLI conversation from its file.

@throws `Failure` when there is no such conversation, or it is empty
*/
const saidIn = async (conversation: string, context: LoginContext): Promise<readonly Spoken[]> => {
	for await (const paths of filesOf(conversation, context)) {
		for (const path of paths) {
			const {kind, lines} = read(path, conversation);
			const said = kind === 'conversation' ? messagesIn(lines) : [];
			if (said.length > 0) {
				return said;
			}
		}
	}

	throw new Failure('refused', `Gemini CLI has kept no conversation ${conversation}.`, {
		hint: '`gemini --list-sessions` names those of a project',
	});
};

/**
Folds the log of a conversation into its current messages.

A message that is written again replaces itself. A rewind removes a message and all after it, or everything if that message doesn't exist.
*/
const messagesIn = (lines: readonly unknown[]): readonly Spoken[] => {
	const left = new Map<string, Spoken | undefined>();
	for (const line of lines) {
		const read = logged.safeParse(line).data ?? {};
		const {$rewindTo, $set} = read;
		if ($rewindTo !== undefined) {
			const ids = [...left.keys()];
			for (const id of ids.slice(Math.max(0, ids.indexOf($rewindTo)))) {
				left.delete(id);
			}
		}

		if ($set?.messages !== undefined) {
			left.clear();
		}

		for (const said of $set?.messages ?? [read]) {
			left.set(said.id ?? `${left.size}`, spokenIn(said));
		}
	}

	return [...left.values()].filter(said => said !== undefined);
};

const spokenIn = ({type, content = ''}: Message): Spoken | undefined => {
	const text = typeof content === 'string' ? content : content.map(({text}) => text ?? '').join('');
	return (type !== 'user' && type !== 'gemini') || text === '' || text.startsWith(startPrompt)
		? undefined
		: {by: type === 'user' ? 'person' : 'agent', text};
};

/** Start of the text that Gemini CLI sends to its model in the person's name at the beginning of a conversation. */
const startPrompt = '<session_context>';

const message = z.looseObject({
	id: z.optional(z.string()),
	type: z.optional(z.string()),
	content: z.optional(
		z.union([z.string(), z.array(z.looseObject({text: z.optional(z.string())}))]),
	),
});

type Message = z.infer<typeof message>;

const logged = z.extend(message, {
	$rewindTo: z.optional(z.string()),
	$set: z.optional(z.looseObject({messages: z.optional(z.array(message))})),
});

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
	needs: ({home, environment}) => {
		const folder = join(environment.GEMINI_CLI_HOME || home, '.gemini');
		const seen = ['settings.json', 'GEMINI.md', 'extensions', 'policies', 'skills'];
		return {
			folder,
			keeps: [join(folder, 'tmp')],
			apart: [join(folder, 'tmp', 'bin')],
			sees: inFolder(folder, [...seen, 'trustedFolders.json', 'google_accounts.json']),
		};
	},
	guides: ['GEMINI.md', 'AGENTS.md', 'CLAUDE.md'],
	riskyFiles: ['.gemini', '.env'],
	withholdsServers: true,
	// Besides a person's own settings there are those of the machine, which must belong to root.
	printsAlone: true,
	// It stores conversations in files that are named after the minute in which they were opened or resumed: resuming one twice in a minute empties a file.
	waitsForMinute: true,
	playsLate: true,
	beforeTakingUp: removeEmptyTwins,
	saidIn,
	whyNotRun: command =>
		hasSubstitution(command)
			? 'Gemini CLI runs no command with `$(…)`, backticks, `<(…)` or `>(…)`, even with leave; write it without them'
			: undefined,
	launch: given => ({
		command: [
			...given.command,
			...(given.model === undefined ? [] : ['--model', given.model]),
			...(given.protocol === 'acp'
				? ['--admin-policy', join(given.folder, policyName)]
				: ['--approval-mode', mode(given)]),
		],
		environment: {
			// Otherwise it starts itself a second time, and that process outlives it.
			GEMINI_CLI_NO_RELAUNCH: 'true',
			GEMINI_CLI_TRUST_WORKSPACE: String(trusts(given)),
			...identity(given.environment),
		},
		mode: 'default',
		files: {[policyName]: policy},
	}),
};

/**
Returns an identity for commits, for example by test suites: its shell reads neither the person's git settings nor the machine's.

`EMAIL` applies only if a repository sets no address; git has no such variable for the name.
*/
const identity = (environment: GivenProgram['environment']): Readonly<Record<string, string>> => {
	const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
	return {
		EMAIL: environment.EMAIL ?? 'gemini-cli@localhost',
		GIT_CONFIG_COUNT: String(count + 1),
		[`GIT_CONFIG_KEY_${count}`]: 'user.name',
		[`GIT_CONFIG_VALUE_${count}`]: 'Gemini CLI',
	};
};

/** Returns whether a shell command contains a substitution outside of quotes that prevent it. */
const hasSubstitution = (command: string): boolean =>
	/[$<>]\(|`/.test(
		command.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, part =>
			part.startsWith('"') ? part.replace(/\\.|[<>]/gs, '') : '',
		),
	);

const policyName = 'gemini-policy.toml';

/** Policy that makes Gemini CLI ask for these tools, above the person's own settings and policies. */
const policy = `[[rule]]
toolName = ["write_file", "replace", "run_shell_command", "save_memory"]
decision = "ask_user"
priority = 999
`;

/** Returns whether it trusts the folder. In an untrusted one it starts no servers at all, not even ours; so only a folder with risky files is untrusted. */
const trusts = ({trusted, riskyFiles}: GivenProgram): boolean => trusted || riskyFiles.length === 0;

const mode = ({readOnly}: GivenProgram): string => (readOnly ? 'plan' : 'auto_edit');
