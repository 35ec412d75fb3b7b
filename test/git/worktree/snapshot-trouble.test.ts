import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const supervised = async () => {
	const world = await makeWorld();
	const take = (ref = 'refs/delegate/s/AGT-001/1') => world.snapshot({ref});
	return {...world, take};
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
	expect((await take('refs/delegate/s/AGT-001/2')).skipped).toEqual([]);
});

test('an index that can’t be read is a failure, not a reason to start from nothing', async () => {
	const {folder, store, tree, take, base} = await supervised();
	write(tree, {'work.txt': 'work\n'});
	const index = join(folder, 'index');
	mkdirSync(index);
	await expect(take()).rejects.toThrow();
	await expect(worktreeTree(store, {tree, index, seed: base})).rejects.toThrow();
	rmSync(index, {recursive: true});
	const {tree: taken} = await take();
	expect(await worktreeTree(store, {tree, index, seed: base})).toBe(taken);
});

test('a worktree of which no snapshot was taken yet amounts to what the first one will hold', async () => {
	const {folder, store, tree, take, base} = await supervised();
	write(tree, {'work.txt': 'work\n'});
	const index = join(folder, 'index');
	const seen = await worktreeTree(store, {tree, index, seed: base});
	expect((await take()).tree).toBe(seen);
});

test('an index that something else has written hides no edit', async () => {
	const {folder, store, tree, take, base} = await supervised();
	write(tree, {'a.txt': 'a\n', 'b.txt': 'b\n'});
	const {commit} = await take();
	const index = join(folder, 'index');
	const marked = (...marks: readonly string[]) =>
		execFileSync('git', ['update-index', ...marks], {
			cwd: tree,
			env: {...process.env, GIT_DIR: store.gitDir, GIT_WORK_TREE: tree, GIT_INDEX_FILE: index},
		});
	marked('--skip-worktree', 'a.txt');
	marked('--assume-unchanged', 'b.txt');
	write(tree, {'a.txt': 'edited\n', 'b.txt': 'edited, too\n'});
	const seen = await worktreeTree(store, {tree, index, seed: commit});
	expect(git(store.gitDir, 'show', `${seen}:a.txt`)).toBe('edited');
	expect(git(store.gitDir, 'show', `${seen}:b.txt`)).toBe('edited, too');

	marked('--skip-worktree', 'a.txt');
	const {tree: taken} = await take('refs/delegate/s/AGT-001/2');
	expect(taken).toBe(seen);

	// A pipe would keep whoever reads it waiting, and an index by which nothing has changed is as good as none.
	rmSync(index);
	execFileSync('mkfifo', [index]);
	write(tree, {'a.txt': 'again\n'});
	const last = await worktreeTree(store, {tree, index, seed: base});
	expect(git(store.gitDir, 'show', `${last}:a.txt`)).toBe('again');
});
