import {existsSync} from 'node:fs';
import {realpath} from 'node:fs/promises';
import {devNull} from 'node:os';
import {dirname, join} from 'node:path';
import type {GitLocation} from '../../git/process/sealed.ts';
import type {Store} from '../../git/store/store.ts';
import {type Box, programFolders, realPath} from '../../lib/process/box.ts';
import {inBox} from '../../lib/process/containment.ts';
import {outcomeOf} from '../../lib/process/try-command.ts';
import type {World} from '../world.ts';
import {besides, wideFolders} from './box-for.ts';
import {borrowedBy, protectsFiles} from './sandbox.ts';

/**
Returns a store whose git, while it opens files of a worktree, sees only that and the store, if files are protected.

Git follows a link that an agent puts in the place of a folder just after git has looked at it. It would read a person's file into a snapshot, or remove one while it reverts the folder's files. A git that starts in no box, such as a script that needs further programs, is not confined: without snapshots there is no session.
*/
export const confined = (
	store: Store,
	{containment, state}: Pick<World, 'containment' | 'state'>,
): Store => {
	let starts: Promise<boolean> | undefined;
	return {
		...store,
		confine: async (...use) => {
			const {fileSandbox} = containment;
			if (
				!('program' in fileSandbox) ||
				!protectsFiles(containment, state().session?.settings.sandbox)
			) {
				return [];
			}

			const box = await boxOf(...use);
			const {prefix} = inBox(containment, fileSandbox, {box, variables: {}, isOurs: true});
			starts ??= outcomeOf([...prefix, use[1].git, '--version'], {patienceMs}).then(
				({code}) => code === 0 || code === null,
			);
			return (await starts) ? prefix : [];
		},
	};
};

/** Time limit of the trial, in milliseconds; a git that takes longer is confined. */
const patienceMs = 60_000;

const boxOf = async (
	...[{gitDir, workTree, index}, {git, opens}]: Parameters<NonNullable<GitLocation['confine']>>
): Promise<Box> => {
	const [objects, ...lenders] = await borrowedBy(join(gitDir, 'objects'));
	const isWide = wideFolders(process.env);
	const programs = [git, realPath(git) ?? git].map(path => dirname(path));
	// Homebrew, for example, has the libraries beside the folder of its programs.
	const around = dirname(dirname(git));
	const as = (how: Box[number]['as'], paths: readonly (string | undefined)[]): Box =>
		paths.flatMap(path => (path === undefined ? [] : [{path, as: how}]));
	return [
		...as('seen', [...programFolders, ...programs, ...programs.flatMap(besides)]),
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
