import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, join, resolve} from 'node:path';
import {promisify} from 'node:util';
import {writeTexts} from '../write-texts.ts';

/** A throwaway folder with a repository, a plan and agents that play scenes. */
export type Playground = AsyncDisposable & {
	/** Root of the checkout. */
	readonly project: string;
	/** Path of the plan file, relative to it. */
	readonly plan: string;
	readonly environment: Readonly<Record<string, string>>;
};

/** Path of the program that people start. */
export const program = resolve(import.meta.dirname, '../../bin/delegate-tui.cjs');

/** A story to play in a place. */
export type Story = {
	/** Files of the repository before the session. */
	readonly files: Readonly<Record<string, string>>;
	/** Scenes of the agents, by file name. */
	readonly scenes: Readonly<Record<string, string>>;
	/** Returns the plan file; `pathOf` returns the path of a scene's file. */
	readonly plan: (pathOf: (name: string) => string) => string;
};

/** Makes the place for a story, with further environment variables; this machine's configuration doesn't apply. */
export const makePlayground = async (
	{files, scenes, plan}: Story,
	more: Readonly<Record<string, string>> = {},
): Promise<Playground> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'pictures-')));
	const project = join(folder, 'orders');
	const programs = join(folder, 'bin');
	const environment = {
		PATH: [programs, process.env.PATH ?? ''].join(delimiter),
		HOME: folder,
		TMPDIR: folder,
		DELEGATE_TUI_STATE: join(folder, 'state'),
		GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
		GIT_CONFIG_NOSYSTEM: '1',
		...more,
	};
	await mkdir(programs);
	await symlink(process.execPath, join(programs, 'node'));
	await writeTexts(folder, {
		gitconfig: '[user]\n\tname = Ada Person\n\temail = ada@example.org\n',
		'plan.yaml': plan(name => join(folder, 'scenes', name)),
	});
	await writeTexts(join(folder, 'scenes'), scenes);
	await writeTexts(project, files);
	const git = (...words: readonly string[]) =>
		promisify(execFile)('git', words, {cwd: project, env: environment});
	await git('init', '--quiet', '--initial-branch=main');
	await git('add', '--all');
	await git('commit', '--quiet', '--message', 'The shop');
	return {
		project,
		plan: '../plan.yaml',
		environment,
		[Symbol.asyncDispose]: () => rm(folder, {recursive: true, force: true, maxRetries: 5}),
	};
};
