import {join} from 'node:path';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import * as z from 'zod/mini';
import type {AgentVendor} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import type {Quirks} from '../acp/quirks.ts';
import type {Spoken} from '../acp/replay.ts';

/**
What is known of one vendor’s agent: how its program is started, steered, and kept to its place.

All agents over ACP are talked to by one client; what differs between them stands here and nowhere else.
*/
export type Profile = Pick<
	Quirks,
	'playsLate' | 'joinsPrompts' | 'expandsMentions' | 'notices' | 'failsBy'
> & {
	readonly vendor: AgentVendor;
	/** Its name, as people call it. */
	readonly title: string;
	/** Started as an agent over ACP. */
	readonly acp: VendorProgram;
	/** Started as a text agent that prints a JSON stream, where that is read. */
	readonly print?: VendorProgram;
	/** How a person logs in, as what follows "to log in". */
	readonly login: string;
	/** Returns which of a person's logins a model is asked with; absent where there is but one. */
	readonly loginOf?: (model: string | undefined) => string | undefined;
	/** Where it can be seen that a person has logged in, without asking anybody. */
	readonly logins: Logins;
	/** What its program needs of a person's home besides the logins, where it is shut off from the rest. */
	readonly needs: (context: LoginContext) => Needs;
	/** Files in which a project tells agents how to work there and that it does not load itself as it is started; the first that is there is passed on. */
	readonly guides: readonly string[];
	/** Files of a project with which it would run programs before it asks anybody. */
	readonly riskyFiles: readonly string[];
	/** Makes it ready for a start; fails with a `Failure` when it can't be kept to its place. */
	readonly launch: (given: GivenProgram) => ProcessLaunch;
	/** Returns the command by which a person goes on with a conversation of it in a terminal, in its worktree; absent where there is none. */
	readonly attach?: (conversation: string) => readonly string[];
	/** The settings folder whose rules must be hidden, where no option of ours overrides them. */
	readonly settingsHome?: SettingsHome;
	/** Whether it starts no servers, ours included, where one of its `riskyFiles` is there and a person has not allowed it. */
	readonly withholdsServers?: boolean;
	/** Whether it takes our tools only as it is started, over the protocol as well. */
	readonly takesToolsAtStart?: boolean;
	/** Whether it begins a turn before the servers run that it was handed. */
	readonly beginsWithoutServers?: boolean;
	/** Whether its print mode takes MCP servers from the person’s settings only. */
	readonly printsAlone?: boolean;
	/** Returns why it does not run a command although it asks leave for it, if it does not. */
	readonly whyNotRun?: (command: string) => string | undefined;
	/** Whether a conversation can be taken up only after the clock minute in which it was opened or taken up last. */
	readonly waitsForMinute?: boolean;
	/** Reads from its file what was said in a conversation, where to load it could destroy it. */
	readonly saidIn?: (conversation: string, context: LoginContext) => Promise<readonly Spoken[]>;
	/** Sees to it that its next process finds an earlier conversation. */
	readonly beforeTakingUp?: (conversation: string, context: LoginContext) => Promise<void>;
};

/** Signs of a login. That they are there says enough, so of none more is read than when it runs out. */
export type Logins = {
	/** Environment variables that take the place of one. */
	readonly variables: readonly string[];
	/** Returns the files in which one is kept. */
	readonly files: (context: LoginContext) => readonly string[];
	/** Returns the times at which its program renews what such a file holds, in milliseconds since 1970; absent where that does not run out. */
	readonly renewals?: (login: unknown) => readonly unknown[];
	/** Where else one may be, in which case it can't be told that there is none. */
	readonly elsewhere?: (platform: NodeJS.Platform) => string | undefined;
};

export type Needs = {
	/** Where it keeps all that is its own, where that is one folder. */
	readonly folder?: string;
	/** Folders of conversations, which a person can go on with; they are made where they are missing. */
	readonly keeps: readonly string[];
	/** Settings, guides and skills, which it only reads. */
	readonly sees: readonly string[];
	/** Files that it writes on and on, of which each agent gets a copy. */
	readonly copies?: readonly string[];
};

/** Returns paths in a folder. */
export const inFolder = (folder: string, names: readonly string[]): readonly string[] =>
	names.map(name => join(folder, name));

export type LoginContext = {
	readonly home: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/**
A folder in which a vendor’s agent keeps a person's settings and logins, and that an environment variable can put elsewhere.

Where it holds rules that let an agent out, the agent gets a folder of links to all the rest of it.
*/
export type SettingsHome = {
	readonly variable: string;
	readonly path: (context: LoginContext) => string;
	/** Names of what is left out. */
	readonly rules: readonly string[];
};

/** How a vendor’s program is started, and the package of npm that brings it. */
export type VendorProgram = {
	readonly command: readonly string[];
	readonly package: string;
	/** The version that all of this was tried with. */
	readonly version: string;
	/** The oldest version that can be kept to its place, where older ones are known that can't. */
	readonly oldest?: string;
};

export type GivenProgram = {
	readonly protocol: 'acp' | 'text';
	readonly command: readonly string[];
	/** The environment of its process so far, the person's own and what the plan or the config set. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Whether all that it starts is shut in, so that a sandbox of its own, which fails inside of ours, is of no use. */
	readonly boxed?: boolean;
	/** Where the person's files are. */
	readonly checkout?: string;
	/** Whether it may write nothing. */
	readonly readOnly: boolean;
	readonly model?: string;
	/** How hard it is to think, where that is more than usual. */
	readonly thinking?: 'think' | 'think-hard';
	/** Whether a person has allowed it to load what the project keeps for it. */
	readonly trusted: boolean;
	/** Those of its `riskyFiles` that are there. */
	readonly riskyFiles: readonly string[];
	/** Folder beside its worktree that holds the `files` of its launch. */
	readonly folder: string;
	/** The server of our tools, where it can be handed one only as it is started. */
	readonly tools?: McpServerStdio;
};

/** How an agent's process is started. */
export type ProcessLaunch = {
	readonly command: readonly string[];
	/** Laid over the environment so far. */
	readonly environment: Readonly<Record<string, string>>;
	/** What it can't be kept from there, in a sentence. */
	readonly warning?: string;
	/** Extension fields of the request that opens a conversation. */
	readonly meta?: Readonly<Record<string, unknown>>;
	/** The mode in which it asks before it acts, by its own name. */
	readonly mode?: string;
	/** Texts of files that it is started with, by their names in the given folder. */
	readonly files?: Readonly<Record<string, string>>;
};

/** Returns the program of a vendor's that prints, which for some is the only one. */
export const printedBy = ({print, acp}: Pick<Profile, 'print' | 'acp'>): VendorProgram =>
	print ?? acp;

/** Returns the command of a shell that installs a program, at the version that was tried. */
export const installCommand = (program: VendorProgram): string =>
	`npm install -g ${program.package}@${program.version}`;

/** Settings as a vendor’s agent keeps them, as plain data. */
export type SettingsTree = {readonly [name: string]: unknown};

const tree = z.record(z.string(), z.unknown());

/** Returns what lies in plain data under these names. */
export const valueIn = (data: unknown, ...names: readonly string[]): unknown =>
	names.reduce((value, name) => tree.safeParse(value).data?.[name], data);

/**
Returns settings as JSON, laid over those that an environment variable holds already.

A person may set the same variable, for a provider of their own, say; only what keeps an agent to its place is overruled.

@throws `Failure` of kind `usage` when the variable holds anything but a JSON object.
*/
export const laidOver = (
	environment: Readonly<Record<string, string | undefined>>,
	name: string,
	settings: SettingsTree,
): string => JSON.stringify(lay(settingsIn(environment, name), settings));

const settingsIn = (
	environment: Readonly<Record<string, string | undefined>>,
	name: string,
): SettingsTree => {
	const text = environment[name];
	if (text === undefined || text === '') {
		return {};
	}

	try {
		return tree.parse(JSON.parse(text));
	} catch (cause) {
		throw new Failure('usage', `The environment variable ${name} holds no JSON object.`, {
			hint: `correct ${name}, or unset it`,
			cause,
		});
	}
};

const lay = (below: SettingsTree, above: SettingsTree): SettingsTree => ({
	...below,
	...Object.fromEntries(
		Object.entries(above).map(([name, value]) => {
			const under = tree.safeParse(below[name]);
			const over = tree.safeParse(value);
			return [name, under.success && over.success ? lay(under.data, over.data) : value];
		}),
	),
});

/** Returns the variables for which nothing is set yet: what a person has set for comfort is theirs. */
export const unlessSet = (
	environment: Readonly<Record<string, string | undefined>>,
	variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(variables).filter(([name]) => environment[name] === undefined));
