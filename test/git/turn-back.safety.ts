import {lstatSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {clearUp} from '../../src/git/target/clear-up.ts';
import {publish} from '../../src/git/target/publish.ts';
import {pictureOf} from '../helpers/kill-points.ts';
import {git, write} from '../helpers/repository.ts';
import {makeMerged} from './undo-world.ts';

/** A publication that was cut off when all had arrived but `a.txt`, which nobody has touched. */
const makeArrived = async () => {
	const {root, repository, store, from, to, goBack} = await makeMerged();
	await goBack();
	const before = pictureOf(root);
	// A file's time is looked at with some slack, and this one was there before.
	const since = new Date(lstatSync(join(root, 'a.txt')).ctimeMs + 1002).toISOString();
	const parts = {target: 'main', store, cutOffs: [{from, to, since}]};
	git(root, 'update-ref', 'refs/heads/main', to);
	git(root, 'read-tree', to);
	write(root, {'new.txt': 'new\n'});
	rmSync(join(root, 'gone.txt'));
	return {
		...{root, to, before},
		again: () => publish(repository, {...parts, from, to}),
		clear: () => clearUp(repository, parts),
	};
};

test('a move that had arrived without a file when it was killed comes whole at the next try', async () => {
	const {root, to, again} = await makeArrived();
	expect(git(root, 'status', '--porcelain')).toBe(' M a.txt');
	expect(await again()).toEqual({published: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('it goes back where nobody goes on with it, and the branch tells why', async () => {
	const {root, before, clear} = await makeArrived();
	expect(await clear()).toBeUndefined();
	expect(pictureOf(root)).toBe(before);
	expect(git(root, 'reflog', '-1', 'main')).toContain('not all files could be moved');
});

test('it stays while another command holds the branch', async () => {
	const {root, to, clear} = await makeArrived();
	write(root, {'.git/refs/heads/main.lock': 'theirs\n'});
	const found = pictureOf(root);
	expect(await clear()).toMatchObject({cause: 'locked'});
	expect(pictureOf(root)).toBe(found);
	expect(git(root, 'rev-parse', 'main')).toBe(to);
});

test('it stays where a person has edited what it brought', async () => {
	const {root, again} = await makeArrived();
	write(root, {'new.txt': 'mine\n'});
	const found = pictureOf(root);
	expect(await again()).toEqual({published: true});
	expect(pictureOf(root)).toBe(found);
});
