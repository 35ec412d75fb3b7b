import {mkdir, mkdtemp, realpath, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {user} from '../../git/process/user.ts';
import type {FileSettings} from '../config/schema.ts';
import {type DemoScene, type Player, playerProfile} from './scenes.ts';

/** A throwaway folder with everything of a demo. */
export type Playground = {
	readonly folder: string;
	/** Checkout of the repository. */
	readonly repository: string;
	/** Agents by their names in the plan. */
	readonly profiles: NonNullable<FileSettings['agents']>;
	/** Variables for this process and the supervisor it starts. */
	readonly environment: {readonly DELEGATE_TUI_STATE: string; readonly PATH: string};
};

/**
Makes the throwaway folder of a scene: a repository with one commit, the agents' scripts, the plan, a state folder.

`node` in it is the Node.js that runs this program, so agents and checks need none on the person's `PATH`.

@param pace Factor of the agents' pauses; 0 for none.
*/
export const makePlayground = async (
	{files, plan, cast}: DemoScene,
	pace: number,
): Promise<Playground> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'delegate-demo-')));
	const programs = join(folder, 'bin');
	await mkdir(programs);
	await symlink(process.execPath, join(programs, 'node'));
	await writeFiles(folder, {'plan.yaml': plan});
	const profiles = await writeParts(folder, cast, pace);
	const repository = join(folder, 'till');
	await writeFiles(repository, files);
	await commitAll(repository);
	return {
		folder,
		repository,
		profiles,
		environment: {
			DELEGATE_TUI_STATE: join(folder, 'state'),
			PATH: [programs, process.env.PATH ?? ''].join(delimiter),
		},
	};
};

const writeParts = async (
	folder: string,
	cast: DemoScene['cast'],
	pace: number,
): Promise<Playground['profiles']> => {
	const temporary = join(folder, 'agents', 'memory');
	await mkdir(temporary, {recursive: true});
	const parts = Object.entries(cast).map(([name, player]) => ({
		name,
		player,
		file: join('agents', fileName(name, player)),
	}));
	await writeFiles(
		folder,
		Object.fromEntries(parts.map(({file, player}) => [file, textOf(player)])),
	);
	return Object.fromEntries(
		parts.map(({name, player, file}) => [
			name,
			playerProfile(player, {file: join(folder, file), temporary, pace}),
		]),
	);
};

const fileName = (name: string, player: Player): string =>
	`${name}${'script' in player ? '.sh' : '.yaml'}`;

const textOf = (player: Player): string => ('script' in player ? player.script : player.scene);

const writeFiles = async (
	folder: string,
	files: Readonly<Record<string, string>>,
): Promise<void> => {
	for (const [path, content] of Object.entries(files)) {
		await mkdir(dirname(join(folder, path)), {recursive: true});
		await writeFile(join(folder, path), content);
	}
};

/** Settings in the repository's config, so that a missing identity or a signing key of the person doesn't matter. */
const settings = {
	'user.name': 'Demo Person',
	'user.email': 'demo@example.org',
	'commit.gpgSign': 'false',
	'core.autocrlf': 'false',
};

const commitAll = async (repository: string): Promise<void> => {
	await user(repository, ['init', '--quiet', '--initial-branch=main']);
	for (const [name, value] of Object.entries(settings)) {
		await user(repository, ['config', name, value]);
	}

	await user(repository, ['add', '--all', '--force']);
	await user(repository, ['commit', '--quiet', '--message', 'The till of a tea house']);
};
