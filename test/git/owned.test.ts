import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Store} from '../../src/git/store.ts';
import {takeOver} from '../../src/git/take-over.ts';
import {putRawBytesBack} from '../../src/git/worktree/raw-bytes.ts';
import {worktreeTree} from '../../src/git/worktree/worktree-tree.ts';
import {commitAll, git, write} from '../helpers/repository.ts';
import {makeWorld} from './world.ts';

/** A person whose repository has files for a moment, which no ref leads to afterwards. */
const passing = (root: string, files: Readonly<Record<string, string>>): void => {
	write(root, files);
	git(root, 'add', '--all');
	git(root, 'write-tree');
	git(root, 'reset', '--quiet', '--hard');
};

/** Removes from the person's repository what no ref leads to. */
const collect = (root: string): void => {
	git(root, 'reflog', 'expire', '--expire=now', '--all');
	git(root, 'gc', '--quiet', '--prune=now');
};

/** What of a commit, its history included, can't be read in a store. */
const missing = ({gitDir}: Store, commit: string): readonly string[] =>
	git(gitDir, 'rev-list', '--objects', '--missing=print', commit)
		.split('\n')
		.filter(line => line.startsWith('?'));

const packs = ({gitDir}: Store) => git(gitDir, 'count-objects', '-v');

test('a snapshot of files that the person once had is whole when those are gone', async () => {
	const {root, base, store, tree, snapshot} = await makeWorld();
	git(root, 'update-ref', 'refs/delegate/s/base', base);
	const files = {'gen.txt': 'generated\n', 'deep/er/gen.txt': 'generated, too\n'};
	passing(root, files);
	write(tree, files);
	const {commit} = await snapshot();
	collect(root);
	expect(missing(store, commit)).toEqual([]);
	expect(git(store.gitDir, 'show', `${commit}:deep/er/gen.txt`)).toBe('generated, too');
});

test('also when a look at the worktree came first, and no object is written twice', async () => {
	const {root, store, folder, base, tree, snapshot} = await makeWorld();
	const gone = {'gone.txt': 'once staged\n'};
	passing(root, gone);
	write(tree, {...gone, 'own.txt': 'own\n'});
	await worktreeTree(store, {tree, index: join(folder, 'index'), seed: base});
	const first = await snapshot();
	collect(root);
	expect(missing(store, first.commit)).toEqual([]);
	const before = packs(store);
	await takeOver(store, {of: [first.commit], beyond: [base]});
	expect(packs(store)).toBe(before);
});

test('files that are moved are no reason to copy what is pinned', async () => {
	const files = Object.fromEntries(
		Array.from({length: 20}, (_, number) => [`old/${number}.txt`, `text ${number}\n`]),
	);
	const {store, tree, snapshot} = await makeWorld(files);
	git(tree, 'mv', 'old', 'new');
	await snapshot();
	// The folder above, whose tree is new, and the commit.
	expect(packs(store)).toContain('count: 2\n');
	expect(packs(store)).toContain('packs: 0\n');
});

test('the bytes that git converted are whole as well', async () => {
	const {root, store, tree, snapshot} = await makeWorld({'.gitattributes': '*.txt text\n'});
	write(root, {'raw.bin': 'one\r\ntwo\r\n'});
	git(root, 'hash-object', '-w', 'raw.bin');
	rmSync(join(root, 'raw.bin'));
	write(tree, {'a.txt': 'one\r\ntwo\r\n'});
	const {commit, tree: held} = await snapshot();
	collect(root);
	expect(missing(store, commit)).toEqual([]);
	await putRawBytesBack(store, {tree, held, snapshot: commit});
	expect(git(store.gitDir, 'cat-file', 'blob', `${commit}^2:a.txt`)).toBe('one\r\ntwo\r');
});

test('a file whose content is gone is read again where it lies in the worktree', async () => {
	const {store, tree, snapshot} = await makeWorld();
	write(tree, {'gone.txt': 'gone\n', 'deep/stays.txt': 'stays\n'});
	const first = await snapshot();
	const oid = git(store.gitDir, 'rev-parse', `${first.commit}:gone.txt`);
	rmSync(join(store.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)));
	// What lies beside it is new, so git looks at the whole folder again.
	write(tree, {'new.txt': 'new\n'});
	const next = await snapshot();
	expect(missing(store, next.commit)).toEqual([]);
	expect(git(store.gitDir, 'show', `${next.commit}:gone.txt`)).toBe('gone');
	expect(git(store.gitDir, 'show', `${next.commit}:deep/stays.txt`)).toBe('stays');
});

test('a commit that is amended away can be read in the store that took it over', async () => {
	const {root, store, base} = await makeWorld();
	git(root, 'update-ref', 'refs/delegate/s/base', base);
	write(root, {'deep/mine.txt': 'mine\n'});
	const tip = commitAll(root);
	await takeOver(store, {of: [tip], beyond: [base]});
	git(root, 'reset', '--quiet', '--hard', base);
	collect(root);
	expect(() => git(root, 'cat-file', '-e', tip)).toThrow();
	expect(missing(store, tip)).toEqual([]);
	expect(git(store.gitDir, 'show', `${tip}:deep/mine.txt`)).toBe('mine');
});

test('what is gone already can’t be taken over', async () => {
	const {root, store, base} = await makeWorld();
	write(root, {'mine.txt': 'mine\n'});
	const tip = commitAll(root);
	git(root, 'reset', '--quiet', '--hard', base);
	collect(root);
	const gone = takeOver(store, {of: [tip], beyond: [base]});
	await expect(gone).rejects.toThrow(/^git rev-list failed: /);
});
