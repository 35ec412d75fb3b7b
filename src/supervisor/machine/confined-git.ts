import {existsSync} from 'node:fs';
import {realpath} from 'node:fs/promises';
import {devNull} from 'node:os';
import {dirname, join} from 'node:path';
import type {GitLocation} from '../../git/process/sealed.ts';
import type {Store} from '../../git/store/store.ts';
import {type Box, programFolders} from '../../lib/process/box.ts';
import {inBox} from '../../lib/process/containment.ts';
import type {World} from '../world.ts';
import {besides} from './box-for.ts';
import {borrowedBy, protectsFiles} from './sandbox.ts';

/**
Returns a store whose git, while it opens files of a worktree, sees only that and the store, if files are protected.

Git follows a link that an agent puts in the place of a folder just after git has looked at it. It would read a person's file into a snapshot, or remove one while it reverts the folder's files.
*/
export const confined = (
	store: Store,
	{containment, state}: Pick<World, 'containment' | 'state'>,
): Store => ({
	...store,
	confine: async (...use) => {
		const {fileSandbox} = containment;
		return 'program' in fileSandbox && protectsFiles(containment, state().session?.settings.sandbox)
			? inBox(containment, fileSandbox, {
					...{box: await boxOf(...use), variables: {}},
					isOurs: true,
				}).prefix
			: [];
	},
});

const boxOf = async (
	...[{gitDir, workTree, index}, {git, opens}]: Parameters<NonNullable<GitLocation['confine']>>
): Promise<Box> => {
	const [objects, ...lenders] = await borrowedBy(join(gitDir, 'objects'));
	const programs = dirname(git);
	const as = (how: Box[number]['as'], paths: readonly (string | undefined)[]): Box =>
		paths.flatMap(path => (path === undefined ? [] : [{path, as: how}]));
	return [
		...as('seen', [...programFolders, programs, ...besides(programs), gitDir, ...lenders]),
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
