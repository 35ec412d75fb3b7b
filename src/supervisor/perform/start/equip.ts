import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Ways} from '../../../agents/acp/ways.ts';
import {installCommand, type Profile} from '../../../agents/profiles/profile.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import {standingWords} from '../../../agents/standing-words.ts';
import type {Subtask} from '../../../events/plan.ts';
import {isThere} from '../../../lib/files/is-there.ts';
import type {AgentFolder} from '../../folder.ts';
import {ownHome} from './own-home.ts';

/** What an agent is started with, beside its prompt. */
export type Equipped = {
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** The shell command that installs its program. */
	readonly install?: string;
	readonly ways?: Ways;
};

/**
Makes an agent of a known make ready for a start in its worktree; any other is started as it is.

It looks at the worktree each time: what a project keeps for an agent may have come there since its last start.
*/
export const equip = async (
	{subtask}: {readonly subtask: Pick<Subtask, 'agent' | 'scope'>},
	{tree, equipment: folder}: Pick<AgentFolder, 'tree' | 'equipment'>,
	environment: Readonly<Record<string, string>>,
): Promise<Equipped> => {
	const {agent, scope} = subtask;
	const {protocol, command, model} = agent;
	const profile = profileOf(agent);
	if (profile === undefined) {
		return {command, environment};
	}

	const equipment = profile.equip({
		protocol,
		command,
		environment,
		readOnly: scope.allowed.length === 0,
		...(model === undefined ? {} : {model}),
		trusted: agent.trust === 'project',
		traps: await trapsIn(tree, profile),
		folder,
	});
	await writeFiles(folder, equipment.files);
	return {
		command: equipment.command,
		environment: {
			...environment,
			...equipment.environment,
			...(await ownHome(profile, environment, folder)),
		},
		install: installCommand(programOf(profile, protocol)),
		ways: {
			login: profile.login,
			standing: standingWords(),
			...(equipment.meta === undefined ? {} : {meta: equipment.meta}),
			...(equipment.mode === undefined ? {} : {mode: equipment.mode}),
			...(profile.playsLate === undefined ? {} : {playsLate: profile.playsLate}),
			...(profile.acp.oldest === undefined
				? {}
				: {oldest: {version: profile.acp.oldest, install: installCommand(profile.acp)}}),
		},
	};
};

const programOf = (profile: Profile, protocol: 'acp' | 'text') =>
	protocol === 'acp' ? profile.acp : profile.print;

const trapsIn = async (tree: string, {traps}: Profile): Promise<readonly string[]> => {
	const there = await Promise.all(traps.map(trap => isThere(join(tree, trap))));
	return traps.filter((_, index) => there[index]);
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
