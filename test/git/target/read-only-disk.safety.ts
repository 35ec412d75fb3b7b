import {join} from 'node:path';
import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {movesOf} from '../../helpers/moves.ts';
import {write} from '../../helpers/repository.ts';
import {canMount} from '../../safety/small-disk.ts';
import {makeWorld} from '../world.ts';

const mountReadOnly = async (folder: string): Promise<void> => {
	await execa('mount', ['--bind', folder, folder]);
	onTestFinished(async () => {
		await execa('umount', ['--lazy', folder]);
	});
	await execa('mount', ['-o', 'remount,ro,bind', folder]);
};

test.runIf(canMount)(
	'a merge into a checkout on a file system that is read-only is told as that',
	async () => {
		const world = await makeWorld({'folder/x': 'x\n'});
		const {root, base, tree} = world;
		write(tree, {'folder/x': 'merged\n'});
		const {merge} = movesOf(world, base, await world.commitWork());
		await mountReadOnly(root);
		expect(await merge()).toMatchObject({
			moved: false,
			message: `The merge changes one file where nothing may be written: the file system of the folder ${join(root, 'folder')} is read-only.`,
			hint: expect.not.stringContaining('chmod'),
		});
	},
);
