import {mkdir, readdir, symlink, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, join, relative, resolve, sep} from 'node:path';
import type {Quirks} from '../../../agents/acp/quirks.ts';
import type {Detail} from '../../../agents/acp/speech/activity.ts';
import {type KnownTools, reminder, toolsOf} from '../../../agents/launch-prompt.ts';
import {
	type GivenProgram,
	installCommand,
	type Profile,
	printedBy,
} from '../../../agents/profiles/profile.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import type {Subtask} from '../../../events/plan.ts';
import {isThere, unlessThere} from '../../../lib/files/reading.ts';
import {freePort} from '../../../lib/loopback.ts';
import {defined} from '../../../lib/values.ts';
import type {AgentFolder} from '../../folder.ts';

/** Launch parameters of an agent besides its prompt. */
export type LaunchConfig = {
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** Shell command that installs its program. */
	readonly install?: string;
	readonly quirks?: Quirks;
	readonly warning?: string;
};

/**
Prepares the start of an agent of a known vendor in its worktree; any other agent starts unchanged.

It examines the worktree each time: settings of the project for the agent may have appeared since its last start.
*/
export const launchConfig = async (
	{
		subtask,
	}: {readonly subtask: Pick<Subtask, 'agent' | 'scope'> & Partial<Pick<Subtask, 'thinking'>>},
	{tree, launch: folder}: Pick<AgentFolder, 'tree' | 'launch'>,
	environment: Readonly<Record<string, string>>,
	{tools, boxed = false, checkout}: Pick<GivenProgram, 'tools' | 'boxed' | 'checkout'> = {},
): Promise<LaunchConfig> => {
	const {agent, scope, thinking = 'standard'} = subtask;
	const {protocol, command, model} = agent;
	const profile = profileOf(agent);
	if (profile === undefined) {
		return {command, environment};
	}

	const riskyFiles = await riskyFilesIn(tree, profile);
	const launch = profile.launch({
		protocol,
		command,
		environment,
		readOnly: scope.allowed.length === 0,
		...defined({model}),
		...(thinking === 'standard' ? {} : {thinking}),
		trusted: agent.trust === 'project',
		boxed,
		riskyFiles,
		folder,
		...defined({tools, checkout}),
		...(profile.listens && protocol === 'acp' ? {port: await freePort()} : {}),
	});
	await writeFiles(folder, launch.files);
	return {
		command: launch.command,
		environment: {
			...environment,
			...launch.environment,
			...(boxed ? {} : await ownHome(profile, environment, folder)),
		},
		...defined({warning: launch.warning}),
		install: installCommand(protocol === 'acp' ? profile.acp : printedBy(profile)),
		quirks: {
			login: profile.login,
			reminder: reminder(handsTools(profile, agent, riskyFiles)),
			...defined({
				meta: launch.meta,
				mode: launch.mode,
				playsLate: profile.playsLate,
				joinsPrompts: profile.joinsPrompts,
				expandsMentions: profile.expandsMentions,
				notices: profile.notices,
				failsBy: profile.failsBy,
				countsRequests: profile.countsRequests,
				countsOn: profile.countsOn,
				spent: launch.spent,
			}),
			...(profile.acp.oldest === undefined
				? {}
				: {oldest: {version: profile.acp.oldest, install: installCommand(profile.acp)}}),
		},
	};
};

/** Returns whether an agent gets our tools; not if it starts no tool servers, or only those of a person. */
const handsTools = (
	{withholdsServers = false, printsAlone = false}: Profile,
	{protocol, trust}: Subtask['agent'],
	riskyFiles: readonly string[],
): boolean =>
	!(protocol === 'text' && printsAlone) &&
	!(withholdsServers && trust !== 'project' && riskyFiles.length > 0);

/** Returns whether an agent that will start in a worktree gets our tools. */
export const toolsIn = async (
	{agent}: Pick<Subtask, 'agent'>,
	tree: string,
): Promise<KnownTools> => {
	const profile = profileOf(agent);
	return profile === undefined || handsTools(profile, agent, await riskyFilesIn(tree, profile))
		? toolsOf(agent)
		: 'none';
};

export const riskyFilesIn = async (
	tree: string,
	{riskyFiles}: Pick<Profile, 'riskyFiles'>,
): Promise<readonly string[]> => {
	const there = await Promise.all(riskyFiles.map(riskyFile => isThere(join(tree, riskyFile))));
	return riskyFiles.filter((_, index) => there[index]);
};

/** Returns one of the `riskyFiles` that a program would find from a folder: it looks there and in the parents, up to the root of the repository. */
export const riskyFileFor = async (
	folder: string,
	profile: Pick<Profile, 'riskyFiles'>,
): Promise<string | undefined> => {
	for (const above of await upToRoot(folder)) {
		const [risky] = await riskyFilesIn(above, profile);
		if (risky !== undefined) {
			return join(above, risky);
		}
	}

	return undefined;
};

/** Returns a folder and its parents in its repository; outside of one only the folder, since its parents may hold a person's own settings. */
const upToRoot = async (folder: string): Promise<readonly string[]> => {
	const folders = [folder];
	for (let at = folder; !(await isThere(join(at, '.git'))); folders.push(at)) {
		const above = dirname(at);
		if (above === at) {
			return [folder];
		}

		at = above;
	}

	return folders;
};

const writeFiles = async (
	folder: string,
	files: Readonly<Record<string, string>> = {},
): Promise<void> => {
	for (const [name, text] of Object.entries(files)) {
		await mkdir(folder, {recursive: true});
		// Some files contain the agent's token.
		await writeFile(join(folder, name), text, {mode: 0o600});
	}
};

/**
Returns the variable for an agent's own settings folder if the person's has permission rules that would bypass the supervisor; otherwise an empty object.

The folder contains links to all other files of the person's, so that logins are renewed and conversations stored there. Files that the program adds stay for its next start.
*/
const ownHome = async (
	{settingsHome}: Profile,
	environment: Readonly<Record<string, string>>,
	folder: string,
): Promise<Readonly<Record<string, string>>> => {
	if (settingsHome === undefined) {
		return {};
	}

	const {variable, path, rules} = settingsHome;
	const person = path({home: environment.HOME || homedir(), environment});
	const names = await readdir(person).catch(() => []);
	if (!names.some(name => rules.includes(name))) {
		return {};
	}

	const own = ownHomeIn(folder);
	await mkdir(own, {recursive: true, mode: 0o700});
	for (const name of names.filter(name => !rules.includes(name) && !isBesideDatabase(name))) {
		await symlink(join(person, name), join(own, name)).catch(unlessThere);
	}

	return {[variable]: own};
};

/** Returns the path of an agent's own settings folder. */
export const ownHomeIn = (folder: string): string => join(folder, 'home');

/** Returns whether a file belongs to an SQLite database, which finds it beside the link's target. */
const isBesideDatabase = (name: string): boolean => /-(?:wal|shm|journal)$/.test(name);

/** Shortens paths in a tool call to the worktree's root. */
export const inTree = (tree: string, detail: Detail): Detail => {
	if (detail.kind !== 'tool') {
		return detail;
	}

	const shown = fromTree(tree);
	const {diffs, command, ...tool} = detail;
	const plain = (text: string): string => text.replaceAll(`${tree}${sep}`, '');
	return {
		...tool,
		title: plain(tool.title),
		...defined({command: command && plain(command)}),
		paths: tool.paths.map(shown),
		...defined({diffs: diffs?.map(({path, ...texts}) => ({path: shown(path), ...texts}))}),
	};
};

/** Returns paths relative to the worktree; a path outside of it stays absolute. */
export const fromTree =
	(tree: string) =>
	(path: string): string => {
		const within = relative(tree, resolve(tree, path));
		return within === '..' || within.startsWith(`..${sep}`) ? path : within;
	};
