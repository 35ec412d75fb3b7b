import {lstatSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {becomeNobody, isRoot} from '../../helpers/become-nobody.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {movesOf} from '../../helpers/moves.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const asRoot = becomeNobody();

/** A merge that removes `folder/x`, which nobody but root can do: git warns, and goes on without it. */
const makeStuck = async () => {
	const world = await makeWorld({
		...{'a.txt': 'a\n', 'gone.txt': 'gone\n', 'folder/x': 'x\n', 'folder/y': 'y\n'},
	});
	const {root, base: from, tree} = world;
	write(tree, {'a.txt': 'merged\n', 'new.txt': 'new\n', 'folder/y': 'merged\n'});
	rmSync(join(tree, 'gone.txt'));
	rmSync(join(tree, 'folder/x'));
	const to = await world.commitWork();
	git(root, 'fetch', '--quiet', world.store.gitDir, to);
	await asRoot(`cd '${root}'; chown 0 folder folder/x; chmod 1777 folder`);
	const {begin: beginAt, merge, clear} = movesOf(world, from, to);
	// A file's time is looked at with some slack, and this one was there before.
	const begin = () => beginAt(new Date(lstatSync(join(root, 'folder/x')).ctimeMs + 1002));
	await begin();
	const free = () => asRoot(`cd '${root}'; chown -R 65534 folder; chmod 755 folder`);
	onTestFinished(free);
	return {root, from, to, begin, clear, free, again: merge, before: pictureOf(root)};
};

type Stuck = Awaited<ReturnType<typeof makeStuck>>;

const moveFiles = ({root, from, to}: Stuck): void => {
	git(root, 'update-index', '-q', '--refresh');
	git(root, 'read-tree', '-m', '-u', from, to);
};

const setIndexBack = ({root, from, to}: Stuck): void => {
	git(root, 'read-tree', '-i', '-m', to, from);
};

/** How far such a move, and the way back, had come when they were killed. */
const kills = [
	['before git moved the branch', [moveFiles]],
	['when all was back but the files', [moveFiles, setIndexBack]],
] as const;

describe('a move that leaves a stuck file as it was', () => {
	const refusal = {
		moved: false,
		message: 'Git refused to move main: it left folder/x as before',
	};

	test.skipIf(!isRoot)('is taken back, and told', async () => {
		const {root, before, again, free} = await makeStuck();
		expect(await again()).toMatchObject(refusal);
		expect(pictureOf(root)).toBe(before);
		await free();
		expect(await again()).toEqual({moved: true});
	});

	test.skipIf(!isRoot).each(kills)(
		'and is killed %s goes back where nobody goes on with it, and counts as that at the next try',
		async (_, steps) => {
			const stuck = await makeStuck();
			const {root, to, before, begin, clear, again, free} = stuck;
			const cutOff = () => {
				for (const step of steps) {
					step(stuck);
				}

				expect(pictureOf(root)).not.toBe(before);
			};
			cutOff();
			expect(await clear()).toBeUndefined();
			expect(pictureOf(root)).toBe(before);
			await begin();
			cutOff();
			expect(await again()).toMatchObject(refusal);
			expect(pictureOf(root)).toBe(before);
			expect(git(root, 'status', '--porcelain')).toBe('');
			await free();
			expect(await again()).toEqual({moved: true});
			expect(git(root, 'rev-parse', 'main')).toBe(to);
			expect(git(root, 'status', '--porcelain')).toBe('');
		},
	);

	test.skipIf(!isRoot)(
		'and has moved others stays if git can’t bring it back, is told with its words, and goes back later',
		async () => {
			const stuck = await makeStuck();
			moveFiles(stuck);
			await asRoot(`chown 0 '${stuck.root}/folder/y'`);
			expect(await stuck.again()).toMatchObject({
				moved: false,
				cause: 'interrupted',
				message: expect.stringMatching(/can’t be cleaned up yet: .*unable to unlink.*folder\/y/),
			});
			await stuck.free();
			expect(await stuck.again()).toEqual({moved: true});
			expect(git(stuck.root, 'status', '--porcelain')).toBe('');
		},
	);
});
