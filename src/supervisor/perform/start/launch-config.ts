import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Quirks} from '../../../agents/acp/quirks.ts';
import {installCommand, type Profile} from '../../../agents/profiles/profile.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import {standingWords} from '../../../agents/standing-words.ts';
import type {Subtask} from '../../../events/plan.ts';
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
Makes an agent of a known make ready for a start in its worktree; any other is started as it is.

It looks at the worktree each time: what a project keeps for an agent may have come there since its last start.
*/
export const launchConfig = async (
	{subtask}: {readonly subtask: Pick<Subtask, 'agent' | 'scope'>},
	{tree, launch: folder}: Pick<AgentFolder, 'tree' | 'launch'>,
	environment: Readonly<Record<string, string>>,
): Promise<LaunchConfig> => {
	const {agent, scope} = subtask;
	const {protocol, command, model} = agent;
	const profile = profileOf(agent);
	if (profile === undefined) {
		return {command, environment};
	}

	const launch = profile.launch({
		protocol,
		command,
		environment,
		readOnly: scope.allowed.length === 0,
		...(model === undefined ? {} : {model}),
		trusted: agent.trust === 'project',
		riskyFiles: await riskyFilesIn(tree, profile),
		folder,
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
			standing: standingWords(),
			...(launch.meta === undefined ? {} : {meta: launch.meta}),
			...(launch.mode === undefined ? {} : {mode: launch.mode}),
			...(profile.playsLate === undefined ? {} : {playsLate: profile.playsLate}),
			...(profile.acp.oldest === undefined
				? {}
				: {oldest: {version: profile.acp.oldest, install: installCommand(profile.acp)}}),
		},
	};
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
		await writeFile(join(folder, name), text);
	}
};
