import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import type {Quirks} from '../../../agents/acp/quirks.ts';
import {type Tools, toolsOf} from '../../../agents/launch-prompt.ts';
import {installCommand, type Profile} from '../../../agents/profiles/profile.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import {reminder} from '../../../agents/reminder.ts';
import type {Subtask} from '../../../events/plan.ts';
import {defined} from '../../../lib/defined.ts';
import {isThere} from '../../../lib/files/is-there.ts';
import type {AgentFolder} from '../../folder.ts';
import {ownHome} from './own-home.ts';

/** What an agent is started with, beside its prompt. */
export type LaunchConfig = {
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** The shell command that installs its program. */
	readonly install?: string;
	readonly quirks?: Quirks;
};

/**
Makes an agent of a known vendor ready for a start in its worktree; any other is started as it is.

It looks at the worktree each time: what a project keeps for an agent may have come there since its last start.
*/
export const launchConfig = async (
	{
		subtask,
	}: {readonly subtask: Pick<Subtask, 'agent' | 'scope'> & Partial<Pick<Subtask, 'thinking'>>},
	{tree, launch: folder}: Pick<AgentFolder, 'tree' | 'launch'>,
	environment: Readonly<Record<string, string>>,
	tools?: McpServerStdio,
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
		riskyFiles,
		folder,
		...defined({tools}),
	});
	await writeFiles(folder, launch.files);
	return {
		command: launch.command,
		environment: {
			...environment,
			...launch.environment,
			...(await ownHome(profile, environment, folder)),
		},
		install: installCommand(programOf(profile, protocol)),
		quirks: {
			login: profile.login,
			reminder: reminder(handsTools(profile, agent, riskyFiles)),
			...defined({meta: launch.meta, mode: launch.mode, playsLate: profile.playsLate}),
			...(profile.acp.oldest === undefined
				? {}
				: {oldest: {version: profile.acp.oldest, install: installCommand(profile.acp)}}),
		},
	};
};

/** Returns whether an agent gets our tools: one that starts no servers, or none but a person's own, doesn't. */
const handsTools = (
	{withholdsServers = false, printsAlone = false}: Profile,
	{protocol, trust}: Subtask['agent'],
	riskyFiles: readonly string[],
): boolean =>
	!(protocol === 'text' && printsAlone) &&
	!(withholdsServers && trust !== 'project' && riskyFiles.length > 0);

/** Returns whether an agent that is about to be started in a worktree gets our tools. */
export const toolsIn = async ({agent}: Pick<Subtask, 'agent'>, tree: string): Promise<Tools> => {
	const profile = profileOf(agent);
	return profile === undefined || handsTools(profile, agent, await riskyFilesIn(tree, profile))
		? toolsOf(agent)
		: 'none';
};

const programOf = (profile: Profile, protocol: 'acp' | 'text') =>
	protocol === 'acp' ? profile.acp : profile.print;

const riskyFilesIn = async (tree: string, {riskyFiles}: Profile): Promise<readonly string[]> => {
	const there = await Promise.all(riskyFiles.map(riskyFile => isThere(join(tree, riskyFile))));
	return riskyFiles.filter((_, index) => there[index]);
};

const writeFiles = async (
	folder: string,
	files: Readonly<Record<string, string>> = {},
): Promise<void> => {
	for (const [name, text] of Object.entries(files)) {
		await mkdir(folder, {recursive: true});
		// Some of them hold the token of the agent.
		await writeFile(join(folder, name), text, {mode: 0o600});
	}
};
