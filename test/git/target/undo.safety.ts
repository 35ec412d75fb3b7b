import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {moveTarget} from '../../../src/git/target/move-target.ts';
import {
	belongings,
	commitAll,
	filesBelow,
	git,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';
import {makeMerged} from './undo-world.ts';

type Merged = Awaited<ReturnType<typeof makeMerged>>;

const refused = async ({root, undo}: Merged) => {
	const before = belongings(root);
	const outcome = await undo();
	expect(belongings(root)).toEqual(before);
	expect(outcome.moved).toBe(false);
	return outcome.moved ? undefined : outcome;
};

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

test('an edit of a file that the merge changed is refused and kept, also one that git was told to overlook', async () => {
	const edited = await makeMerged();
	write(edited.root, {'a.txt': 'mine\n'});
	expect(await refused(edited)).toMatchObject({
		cause: 'dirty-checkout',
		paths: ['a.txt'],
		message: expect.stringContaining('that the undo changes, too'),
	});

	const overlooked = await makeMerged();
	git(overlooked.root, 'update-index', '--assume-unchanged', 'a.txt');
	write(overlooked.root, {'a.txt': 'overlooked\n'});
	expect(await refused(overlooked)).toMatchObject({
		cause: 'dirty-checkout',
		message: expect.stringContaining('The undo changes one file'),
		hint: expect.stringContaining('git update-index --no-assume-unchanged'),
	});
});

test('an untracked or ignored file where the merge took one away is refused and kept', async () => {
	const untracked = await makeMerged();
	write(untracked.root, {'gone.txt': 'mine\n'});
	expect(await refused(untracked)).toMatchObject({cause: 'untracked-files', paths: ['gone.txt']});

	const ignored = await makeMerged();
	write(ignored.root, {'.git/info/exclude': 'gone.txt\n', 'gone.txt': 'mine\n'});
	expect(await refused(ignored)).toMatchObject({cause: 'ignored-files', paths: ['gone.txt']});
});

test('a branch that has gone on is not moved back', async () => {
	const merged = await makeMerged();
	commitAll(merged.root, 'later');
	expect(await refused(merged)).toMatchObject({cause: 'target-moved'});
});

test('a branch that is checked out nowhere goes back by itself', async () => {
	const {root, from, undo} = await makeMerged();
	git(root, 'checkout', '--quiet', '--detach');
	const before = filesBelow(root);
	expect(await undo()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'main')).toBe(from);
	expect(filesBelow(root)).toEqual(before);
});

test('a branch that is checked out elsewhere goes back there, and dirt there counts', async () => {
	const {root, from, undo} = await makeMerged();
	const linked = join(temporaryFolder(), 'linked');
	git(root, 'checkout', '--quiet', '-b', 'mine');
	git(root, 'worktree', 'add', '--quiet', linked, 'main');
	write(linked, {'a.txt': 'dirt\n'});
	expect(await undo()).toMatchObject({cause: 'dirty-checkout', paths: ['a.txt']});
	git(linked, 'checkout', '--quiet', 'a.txt');
	const before = filesBelow(root);
	expect(await undo()).toEqual({moved: true});
	expect(git(linked, 'rev-parse', 'HEAD')).toBe(from);
	expect(git(linked, 'status', '--porcelain')).toBe('');
	expect(filesBelow(root)).toEqual(before);
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

test('a worktree of the branch that is gone is told', async () => {
	const merged = await makeMerged();
	const linked = join(temporaryFolder(), 'linked');
	git(merged.root, 'checkout', '--quiet', '--detach');
	git(merged.root, 'worktree', 'add', '--quiet', linked, 'main');
	rmSync(linked, {recursive: true});
	expect(await refused(merged)).toMatchObject({cause: 'other'});
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
