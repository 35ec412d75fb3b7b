import {dirname, join} from 'node:path';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import * as z from 'zod/mini';
import type {AgentVendor} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import type {Quirks} from '../acp/quirks.ts';
import type {Spoken} from '../acp/replay.ts';

/**
Properties of a vendor's agent: how its program is started, controlled and confined.

One client talks to all agents over ACP; their differences are only in these profiles.
*/
export type Profile = Pick<
	Quirks,
	| 'playsLate'
	| 'joinsPrompts'
	| 'expandsMentions'
	| 'notices'
	| 'failsBy'
	| 'countsRequests'
	| 'countsOn'
> & {
	readonly vendor: AgentVendor;
	/** Its name for people. */
	readonly title: string;
	/** Its program as an agent over ACP. */
	readonly acp: VendorProgram;
	/** Its program as a text agent that prints a JSON stream, if that is supported. */
	readonly print?: VendorProgram;
	/** How a person logs in, to follow "to log in". */
	readonly login: string;
	/** Returns which of a person's logins a model uses; absent if there is only one. */
	readonly loginOf?: (model: string | undefined) => string | undefined;
	/** Signs that a person has logged in, without starting a program. */
	readonly logins: Logins;
	/** Returns the files that its program needs from the person's home, besides the logins, in a sandbox. */
	readonly needs: (context: LoginContext) => Needs;
	/** Guide files of a project that it doesn't load by itself; the first existing one goes into the prompt. */
	readonly guides: readonly string[];
	/** Files of a project with which it would run programs before it asks. */
	readonly riskyFiles: readonly string[];
	/** True if its program listens on the loopback interface as an agent over ACP. */
	readonly listens?: boolean;
	/** Prepares its start; throws a `Failure` if it can't be confined. */
	readonly launch: (given: GivenProgram) => ProcessLaunch;
	/** Returns how a person continues its conversation in a terminal, in its worktree, as far as possible without the settings there unless a person trusts them; absent if there is no way. */
	readonly attach?: (
		conversation: string,
		trusted: boolean,
	) => Pick<ProcessLaunch, 'command'> & Partial<Pick<ProcessLaunch, 'environment'>>;
	/** Settings folder whose rules must be hidden, if no option of ours overrides them. */
	readonly settingsHome?: SettingsHome;
	/** True if it starts no servers, including ours, when one of its `riskyFiles` exists and a person hasn't allowed it. */
	readonly withholdsServers?: boolean;
	/** True if it accepts our tools only at its start, even over the protocol. */
	readonly takesToolsAtStart?: boolean;
	/** True if it begins a turn before its servers run. */
	readonly beginsWithoutServers?: boolean;
	/** True if its print mode only uses MCP servers from the person's settings. */
	readonly printsAlone?: boolean;
	/** Returns why it doesn't run a command although it asks for permission; `undefined` if it does. */
	readonly whyNotRun?: (command: string) => string | undefined;
	/** True if it can resume a conversation only after the clock minute in which that was last opened or resumed. */
	readonly waitsForMinute?: boolean;
	/** Reads the words of a conversation from its file, if loading the conversation could destroy it. */
	readonly saidIn?: (conversation: string, context: LoginContext) => Promise<readonly Spoken[]>;
	/** Prepares an earlier conversation, so that its next process finds it. */
	readonly beforeTakingUp?: (conversation: string, context: LoginContext) => Promise<void>;
};

/** Signs of a login. Their existence suffices; only the expiry time is read. */
export type Logins = {
	/** Environment variables that replace a login. */
	readonly variables: readonly string[];
	/** Returns the files with a login. */
	readonly files: (context: LoginContext) => readonly string[];
	/** Returns the times at which its program renews a login in such a file, in milliseconds since 1970; absent if logins don't expire. */
	readonly renewals?: (login: unknown) => readonly unknown[];
	/** Returns another place for logins that can't be checked, so that a missing file proves nothing. */
	readonly elsewhere?: (platform: NodeJS.Platform) => string | undefined;
};

export type Needs = {
	/** Its own folder, if all its files are in one. */
	readonly folder?: string;
	/** Folders of conversations, which a person can continue; created if missing. */
	readonly keeps: readonly string[];
	/** Folders in those with programs and repositories, from which a person's own program starts something; each agent has its own. */
	readonly apart?: readonly string[];
	/** Settings, guides and skills, which it only reads. */
	readonly sees: readonly string[];
	/** Files that it keeps writing, of which each agent gets a copy. */
	readonly copies?: readonly string[];
};

/** Returns paths in a folder. */
export const inFolder = (folder: string, names: readonly string[]): readonly string[] =>
	names.map(name => join(folder, name));

/** Returns the folders above a folder, the nearest one first. */
export const parentFolders = (folder: string): readonly string[] => {
	const above = dirname(folder);
	return above === folder ? [] : [above, ...parentFolders(above)];
};

export type LoginContext = {
	readonly home: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/**
A folder with a person's settings and logins for a vendor's agent, which an environment variable can move.

If it contains rules that would bypass the supervisor, the agent gets a folder with links to all other entries.
*/
export type SettingsHome = {
	readonly variable: string;
	readonly path: (context: LoginContext) => string;
	/** Names of the entries to leave out. */
	readonly rules: readonly string[];
};

/** Command of a vendor's program, and the npm package that contains it. */
export type VendorProgram = {
	readonly command: readonly string[];
	readonly package: string;
	/** Version with which the profile was tested. */
	readonly version: string;
	/** Oldest version that can be confined, if older ones can't. */
	readonly oldest?: string;
};

export type GivenProgram = {
	readonly protocol: 'acp' | 'text';
	readonly command: readonly string[];
	/** Environment of its process so far: the person's own, with variables of the plan and the config. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** True if it runs in our sandbox, in which its own one fails. */
	readonly boxed?: boolean;
	/** The person's checkout. */
	readonly checkout?: string;
	/** True if it may write nothing. */
	readonly readOnly: boolean;
	readonly model?: string;
	/** Effort, if it is higher than usual. */
	readonly thinking?: 'think' | 'think-hard';
	/** True if a person has allowed it to load the project's settings. */
	readonly trusted: boolean;
	/** Existing `riskyFiles`. */
	readonly riskyFiles: readonly string[];
	/** Folder beside its worktree with the `files` of its launch. */
	readonly folder: string;
	/** Free port of the loopback interface, for a server of its own. */
	readonly port?: number;
	/** Our tool server, if it accepts one only at its start. */
	readonly tools?: McpServerStdio;
};

/** Refuses a start with a file of the project by which a program would run others before it asks anyone, unless a person allowed that. */
export const requireNoRiskyFile = (
	{title}: Pick<Profile, 'title'>,
	{riskyFiles: [riskyFile], trusted}: GivenProgram,
): void => {
	if (riskyFile !== undefined && !trusted) {
		throw new Failure(
			'refused',
			`${title} would run programs that the project’s ${riskyFile} names before it asks anyone; to allow that, add \`trust: project\` to its profile.`,
			{hint: `or remove ${riskyFile} from the branch that the session starts from`},
		);
	}
};

/** Launch settings of an agent's process. */
export type ProcessLaunch = Pick<Quirks, 'spent'> & {
	readonly command: readonly string[];
	/** Variables to add to the environment. */
	readonly environment: Readonly<Record<string, string>>;
	/** Sentence about an action that can't be prevented. */
	readonly warning?: string;
	/** Extension fields of the request that opens a conversation. */
	readonly meta?: Readonly<Record<string, unknown>>;
	/** Its name for the mode in which it asks before it acts. */
	readonly mode?: string;
	/** Texts of files for its start, by their names in the given folder. */
	readonly files?: Readonly<Record<string, string>>;
};

/** Returns a vendor's print program, which for some is the only one. */
export const printedBy = ({print, acp}: Pick<Profile, 'print' | 'acp'>): VendorProgram =>
	print ?? acp;

/** Returns the shell command that installs the tested version of a program. */
export const installCommand = (program: VendorProgram): string =>
	`npm install -g ${program.package}@${program.version}`;

/** Settings of a vendor's agent, as plain data. */
export type SettingsTree = {readonly [name: string]: unknown};

const tree = z.record(z.string(), z.unknown());

/** Returns the value in plain data under these names. */
export const valueIn = (data: unknown, ...names: readonly string[]): unknown =>
	names.reduce((value, name) => tree.safeParse(value).data?.[name], data);

/**
Returns settings as JSON, merged over those in an environment variable.

A person may set the same variable, for example for their own provider; only settings that confine the agent are overridden.

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

/** Returns the variables that the environment doesn't set: a person's own preferences stay. */
export const unlessSet = (
	environment: Readonly<Record<string, string | undefined>>,
	variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(variables).filter(([name]) => environment[name] === undefined));
