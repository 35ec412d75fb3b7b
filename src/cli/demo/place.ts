import {mkdir, mkdtemp, realpath, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {user} from '../../git/user.ts';
import type {Scene} from './scene.ts';

/** A throwaway folder that holds everything of a demo. */
export type Place = {
	readonly folder: string;
	/** Checkout of the repository. */
	readonly repository: string;
	/** Text of the plan file. */
	readonly plan: string;
	/** Variables for this process and the supervisor it starts. */
	readonly environment: {readonly DELEGATE_TUI_STATE: string; readonly PATH: string};
};

/**
Makes the throwaway folder of a scene: a repository with one commit, the agents' scripts, a plan, a state folder.

`node` in it is the Node.js that runs us, so agents and checks need none on the person's path.
*/
export const makePlace = async (scene: Scene, {pauseS}: {pauseS: number}): Promise<Place> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'delegate-demo-')));
	const programs = join(folder, 'bin');
	await mkdir(programs);
	await symlink(process.execPath, join(programs, 'node'));
	const scripts = join(folder, 'agents');
	await writeFiles(scripts, scene.scripts);
	const command = (script: string) => JSON.stringify(['sh', join(scripts, script)]);
	const plan = scene.plan({command, pauseS});
	await writeFiles(folder, {'plan.yaml': plan});
	const repository = join(folder, 'till');
	await writeFiles(repository, scene.files);
	await commitAll(repository);
	return {
		folder,
		repository,
		plan,
		environment: {
			DELEGATE_TUI_STATE: join(folder, 'state'),
			PATH: [programs, process.env.PATH ?? ''].join(delimiter),
		},
	};
};

const writeFiles = async (
	folder: string,
	files: Readonly<Record<string, string>>,
): Promise<void> => {
	for (const [path, content] of Object.entries(files)) {
		await mkdir(dirname(join(folder, path)), {recursive: true});
		await writeFile(join(folder, path), content);
	}
};

/** Settings of the repository's own, so that neither a missing identity nor a signing key of the person's matters. */
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
