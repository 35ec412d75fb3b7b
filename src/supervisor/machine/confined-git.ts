import {existsSync} from 'node:fs';
import {realpath} from 'node:fs/promises';
import {devNull} from 'node:os';
import {dirname, join} from 'node:path';
import type {GitLocation} from '../../git/process/sealed.ts';
import type {Store} from '../../git/store/store.ts';
import {type Box, programFolders, realPath, systemMounts} from '../../lib/process/box.ts';
import {inBox} from '../../lib/process/containment.ts';
import {outcomeOf} from '../../lib/process/try-command.ts';
import type {World} from '../world.ts';
import {besides, wideFolders} from './box-for.ts';
import {borrowedBy, protectsFiles} from './sandbox.ts';

/**
Returns a store whose git, while it opens files of a worktree, sees only that and the store, if files are protected.

Git follows a link that an agent puts in the place of a folder just after git has looked at it. It would read a person's file into a snapshot, or remove one while it reverts the folder's files. A git that finds no repository in its box, such as a script that needs further programs, is not confined: without snapshots there is no session. The log says so once.
*/
export const confined = (
	store: Store,
	{containment, state}: Pick<World, 'containment' | 'state'>,
	log: (message: string) => void,
): Store => {
	let [starts, isTold] = [false, false];
	return {
		...store,
		confine: async (location, use) => {
			const {fileSandbox} = containment;
			if (
				!('program' in fileSandbox) ||
				!protectsFiles(containment, state().session?.settings.sandbox)
			) {
				return [];
			}

			const system = fileSandbox.by === 'Seatbelt' ? systemMounts() : programs;
			const box = [...system, ...(await boxOf(location, use))];
			const {prefix} = inBox(containment, fileSandbox, {box, variables, isOurs: true});
			if (!starts) {
				const words = [use.git, `--git-dir=${location.gitDir}`, 'rev-parse', '--git-dir'];
				const {code, isLate, said} = await outcomeOf([...prefix, ...words], {patienceMs});
				starts ||= code === 0 || isLate;
				if (!starts && !isTold) {
					isTold = true;
					log(
						`Git is not confined while it reads and reverts files of agents: in a sandbox it fails (${said.trim() || `exit code ${code}`}).`,
					);
				}
			}

			return starts ? prefix : [];
		},
	};
};

/** Its trial has the person's environment. */
const variables = {GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1'};

/** Time limit of the trial, in milliseconds; a git that takes longer is confined. */
const patienceMs = 60_000;

const programs: Box = programFolders.map(path => ({path, as: 'seen'}));

const boxOf = async (
	...[{gitDir, workTree, index}, {git, opens}]: Parameters<NonNullable<GitLocation['confine']>>
): Promise<Box> => {
	const [objects, ...lenders] = await borrowedBy(join(gitDir, 'objects'));
	const isWide = wideFolders(process.env);
	const folders = [git, realPath(git) ?? git].map(path => dirname(path));
	// Homebrew, for example, has the libraries beside the folder of its programs.
	const around = dirname(dirname(git));
	const as = (how: Box[number]['as'], paths: readonly (string | undefined)[]): Box =>
		paths.flatMap(path => (path === undefined ? [] : [{path, as: how}]));
	return [
		...as('seen', [...folders, ...folders.flatMap(besides)]),
		...as(
			'seen',
			[around].filter(folder => !isWide(folder)),
		),
		...as('seen', [gitDir, ...lenders]),
		// They name snapshots of other agents.
		...as('empty', [join(gitDir, 'refs')]),
		...[join(gitDir, 'packed-refs')]
			.filter(existsSync)
			.map(path => ({path, as: 'seen', from: devNull}) as const),
		...as('own', [index && dirname(index)]),
		...as(opens === 'to read' ? 'own' : 'seen', [objects]),
		...as(opens === 'to read' ? 'seen' : 'own', [await realpath(workTree)]),
	];
};
