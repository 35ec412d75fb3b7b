import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pictureOf} from '../../helpers/kill-points.ts';
import {movesOf} from '../../helpers/moves.ts';
import {makeRepository, write} from '../../helpers/repository.ts';
import {canMount, mountDisk} from '../../safety/small-disk.ts';
import {worldOf} from '../world.ts';

/** What the hint says in words, in pages of a disk. */
const pagesIn = (hint: string): number => {
	const [, number = '', unit = ''] = /at least ([\d.]+) (KiB|MiB)/.exec(hint) ?? [];
	return Math.ceil((Number(number) * (unit === 'MiB' ? 1024 : 1)) / 4);
};

test.runIf(canMount).each([0, 12, 40])(
	'a publication into a checkout with room for %i pages names the disk, and how much it needs is enough (needs the right to mount)',
	async pages => {
		const disk = await mountDisk();
		const world = await worldOf(
			makeRepository({'a.txt': 'a\n', 'gone.txt': 'gone\n'}, disk.folder),
		);
		const {root, base, tree} = world;
		rmSync(join(tree, 'gone.txt'));
		for (let n = 0; n < 30; n++) {
			write(tree, {[`src/${n}.txt`]: `${Math.random()}\n`.repeat(300 * (n % 3))});
		}

		const {merge} = movesOf(world, base, await world.commitWork());
		const before = pictureOf(root);
		await disk.leave(pages);
		const refused = await merge();
		expect(refused).toMatchObject({
			moved: false,
			cause: 'no-room',
			message: expect.stringMatching(
				new RegExp(`^There is no room to move main: the disk of ${disk.folder}\\S* is full`),
			),
		});
		expect(pictureOf(root)).toBe(before);
		await disk.leave(pagesIn('hint' in refused ? refused.hint : ''));
		expect(await merge()).toEqual({moved: true});
	},
);
