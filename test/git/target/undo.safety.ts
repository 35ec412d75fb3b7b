import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {moveTarget} from '../../../src/git/target/move-target.ts';
import {belongings, filesBelow, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeMerged} from './undo-world.ts';

test('the branch, the index and the files are as before the merge, and nothing else changes', async () => {
	const {root, from, undo} = await makeMerged();
	write(root, {'b.txt': 'put off\n'});
	git(root, 'stash', 'push', '--quiet');
	write(root, {'.git/info/exclude': '.env\n', '.env': 'SECRET=1\n', 'untracked.txt': 'mine\n'});
	write(root, {'b.txt': 'staged\n'});
	git(root, 'add', 'b.txt');
	write(root, {'b.txt': 'edited\n'});
	const before = belongings(root);
	expect(await undo()).toEqual({moved: true});
	const after = belongings(root);
	expect(git(root, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
	expect(git(root, 'rev-parse', 'HEAD')).toBe(from);
	expect(git(root, 'status', '--porcelain')).toBe('MM b.txt\n?? untracked.txt');
	expect(Object.keys(after.files)).toEqual(['.env', 'a.txt', 'b.txt', 'gone.txt', 'untracked.txt']);
	expect(after.files['b.txt']).toBe(before.files['b.txt']);
	expect(after.stash).toBe(before.stash);
	expect(git(root, 'reflog', '-1', 'main')).toContain('delegate-tui: undo');
});

test('an edit of a file that the merge changed is refused and kept', async () => {
	const {root, undo} = await makeMerged();
	write(root, {'a.txt': 'mine\n'});
	const before = belongings(root);
	expect(await undo()).toMatchObject({
		moved: false,
		cause: 'dirty-checkout',
		paths: ['a.txt'],
		message: expect.stringContaining('that the undo changes, too'),
	});
	expect(belongings(root)).toEqual(before);
});

test('a branch of a bare repository goes back where it is checked out, and where it is not', async () => {
	const {root, store, from, to} = await makeMerged();
	const bare = join(temporaryFolder(), 'bare.git');
	git(root, 'clone', '--quiet', '--bare', root, bare);
	const other = join(temporaryFolder(), 'other');
	git(bare, 'worktree', 'add', '--quiet', '--detach', other, to);
	const repository = await openRepository(other);
	const move = {what: 'undo' as const, target: 'main', store, from: to, to: from};
	expect(await moveTarget(repository, move)).toEqual({moved: true});
	expect(git(bare, 'rev-parse', 'main')).toBe(from);
	expect(git(other, 'status', '--porcelain')).toBe('');

	git(bare, 'update-ref', 'refs/heads/main', to);
	const tree = join(temporaryFolder(), 'main');
	git(bare, 'worktree', 'add', '--quiet', tree, 'main');
	expect(await moveTarget(repository, move)).toEqual({moved: true});
	expect(readFileSync(join(tree, 'gone.txt'), 'utf8')).toBe('gone\n');
	expect(git(tree, 'status', '--porcelain')).toBe('');
});

test('an index in parts, and what a sparse checkout leaves out, go back as well', async () => {
	const {root, from, undo} = await makeMerged();
	git(root, 'config', 'core.splitIndex', 'true');
	git(root, 'update-index', '--split-index');
	git(root, 'sparse-checkout', 'set', '--no-cone', '/*', '!gone.txt');
	expect(await undo()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'HEAD')).toBe(from);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(Object.keys(filesBelow(root))).toEqual(['a.txt', 'b.txt']);
	expect(git(root, 'ls-files')).toBe('a.txt\nb.txt\ngone.txt');
});

test('a repository whose refs are not in files goes back, too', async () => {
	const {root, from, undo} = await makeMerged();
	mkdirSync(join(root, '.git/reftable'));
	expect(await undo()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'HEAD')).toBe(from);
	expect(git(root, 'status', '--porcelain')).toBe('');
});
