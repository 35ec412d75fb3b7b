import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {takeSnapshot} from '../../src/git/snapshot.ts';
import {git, write} from '../helpers/repository.ts';
import {makeWorld} from './world.ts';

const supervised = async () => {
	const {base, folder, store, tree} = await makeWorld();
	const take = (ref = 'refs/delegate/s/AGT-001/1') =>
		takeSnapshot(store, {
			tree,
			index: join(folder, 'index'),
			parents: [base],
			ref,
			message: 'snapshot',
			at: '2026-11-21T20:00:00Z',
		});
	return {store, tree, take};
};

test('a file that can’t be written into the store is a failure, not a snapshot without it', async () => {
	const {store, tree, take} = await supervised();
	write(tree, {'work.txt': 'work\n'});
	const folder = git(tree, 'hash-object', 'work.txt').slice(0, 2);
	const blocked = join(store.gitDir, 'objects', folder);
	rmSync(blocked, {recursive: true, force: true});
	writeFileSync(blocked, 'a file in the place of a folder');
	await expect(take()).rejects.toThrow(/^git update-index failed/);
	expect(git(store.gitDir, 'for-each-ref', 'refs/delegate/s')).toBe('');
	rmSync(blocked);
	mkdirSync(blocked);
	const {commit} = await take();
	expect(git(store.gitDir, 'show', `${commit}:work.txt`)).toBe('work');
});

test('a snapshot that can’t be pinned is a failure', async () => {
	const {take} = await supervised();
	await take();
	await expect(take('refs/delegate/s/AGT-001/1/below')).rejects.toThrow();
	expect((await take('refs/delegate/s/AGT-001/2')).left).toEqual([]);
});
