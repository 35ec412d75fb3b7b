import {chmodSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {becomeNobody} from '../../helpers/become-nobody.ts';
import {movesOf} from '../../helpers/moves.ts';
import {belongings, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

becomeNobody();

/** A merge of that work, in a checkout one of whose folders is closed off when `lock` is called. */
const merged = async (work: (tree: string) => void) => {
	const files = {'a.txt': 'a\n', 'locked/x': 'x\n', 'locked/y': 'y\n', 'locked/deep/z': 'z\n'};
	const world = await makeWorld(files);
	const {root, base, tree} = world;
	write(tree, {'a.txt': 'merged\n'});
	work(tree);
	return {
		...{root, ...movesOf(world, base, await world.commitWork())},
		lock: (mode = 0o555) => {
			chmodSync(join(root, 'locked'), mode);
			onTestFinished(() => chmodSync(join(root, 'locked'), 0o755));
		},
		unlock: () => chmodSync(join(root, 'locked'), 0o755),
	};
};

test('a merge that changes, removes or adds files where nothing may be written is refused', async () => {
	const {root, lock, unlock, merge} = await merged(tree => {
		write(tree, {'locked/x': 'merged\n', 'locked/new': 'new\n', 'locked/n/new': 'new\n'});
		rmSync(join(tree, 'locked/y'));
	});
	lock();
	const before = belongings(root);
	expect(await merge()).toMatchObject({
		moved: false,
		message: `The merge changes 4 files where nothing may be written: you have no right to write in the folder ${join(root, 'locked')}.`,
		hint: expect.stringContaining(`chmod u+rwx ${join(root, 'locked')}`),
		paths: ['locked/n/new', 'locked/new', 'locked/x', 'locked/y'],
	});
	expect(belongings(root)).toEqual(before);
	unlock();
	expect(await merge()).toEqual({moved: true});
});

test('a folder that can’t even be entered is named, and no file in it is taken for removed', async () => {
	const {root, lock, merge} = await merged(tree =>
		write(tree, {'locked/x': 'merged\n', 'locked/deep/z': 'merged\n'}),
	);
	lock(0);
	expect(await merge()).toMatchObject({
		moved: false,
		message: expect.stringContaining(`the folder ${join(root, 'locked')}.`),
		paths: ['locked/deep/z', 'locked/x'],
	});
});

test('a folder in which nothing changes may be closed off, and so may one that a file is to become', async () => {
	const apart = await merged(() => {});
	apart.lock();
	expect(await apart.merge()).toEqual({moved: true});
	const within = await merged(tree => write(tree, {'locked/deep/z': 'merged\n'}));
	within.lock();
	expect(await within.merge()).toEqual({moved: true});
	expect(readFileSync(join(within.root, 'locked/deep/z'), 'utf8')).toBe('merged\n');
});

test('several folders are all named', async () => {
	const {root, lock, merge} = await merged(tree =>
		write(tree, {'locked/x': 'merged\n', 'other/new': 'new\n'}),
	);
	mkdirSync(join(root, 'other'), {mode: 0o555});
	lock();
	expect(await merge()).toMatchObject({
		message: expect.stringMatching(/changes 2 files .*locked \(nor in other\)\.$/),
	});
});
