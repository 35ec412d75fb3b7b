import {rmSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {notHeldIn} from '../../../src/git/store/borrowed.ts';
import {copyBorrowed} from '../../../src/git/store/copy-borrowed.ts';
import {collectGarbage} from '../../../src/git/store/pinned.ts';
import {openStore, type Store} from '../../../src/git/store/store.ts';
import {putRawBytesBack} from '../../../src/git/worktree/snapshot/raw-bytes.ts';
import {worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {collect, missing, passing} from '../../helpers/passing.ts';
import {commitAll, git, makeRepository, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const packs = ({gitDir}: Store) => git(gitDir, 'count-objects', '-v');

test('a snapshot of files that the person once had is whole when those are gone', async () => {
	const {root, base, store, tree, snapshot} = await makeWorld();
	git(root, 'update-ref', 'refs/delegate/s/base', base);
	const files = {'gen.txt': 'generated\n', 'deep/er/gen.txt': 'generated, too\n'};
	passing(root, files);
	write(tree, files);
	const {commit} = await snapshot();
	collect(root);
	expect(missing(store.gitDir, commit)).toEqual([]);
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
	expect(missing(store.gitDir, first.commit)).toEqual([]);
	const before = packs(store);
	await copyBorrowed(store, {of: [first.commit], beyond: [base]});
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
	expect(missing(store.gitDir, commit)).toEqual([]);
	await putRawBytesBack(store, {tree, held, snapshot: commit});
	expect(git(store.gitDir, 'cat-file', 'blob', `${commit}^2:a.txt`)).toBe('one\r\ntwo\r');
});

test('a file whose content is gone is read again where it lies in the worktree', async () => {
	const {store, tree, snapshot} = await makeWorld();
	write(tree, {'gone.txt': 'gone\n', 'deep/stays.txt': 'stays\n'});
	// It is older than the index, so git needs no look at it.
	utimesSync(join(tree, 'gone.txt'), 1_700_000_000, 1_700_000_000);
	const first = await snapshot();
	const oid = git(store.gitDir, 'rev-parse', `${first.commit}:gone.txt`);
	rmSync(join(store.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)));
	// What lies beside it is new, so git looks at the whole folder again.
	write(tree, {'new.txt': 'new\n'});
	const next = await snapshot({parents: [first.commit]});
	expect(missing(store.gitDir, next.tree)).toEqual([]);
	expect(git(store.gitDir, 'show', `${next.commit}:gone.txt`)).toBe('gone');
	expect(git(store.gitDir, 'show', `${next.commit}:deep/stays.txt`)).toBe('stays');
});

test('a commit that is amended away can be read in the store that took it over', async () => {
	const {root, store, base} = await makeWorld();
	git(root, 'update-ref', 'refs/delegate/s/base', base);
	write(root, {'deep/mine.txt': 'mine\n'});
	const tip = commitAll(root);
	await copyBorrowed(store, {of: [tip], beyond: [base]});
	git(root, 'reset', '--quiet', '--hard', base);
	collect(root);
	expect(() => git(root, 'cat-file', '-e', tip)).toThrow();
	expect(missing(store.gitDir, tip)).toEqual([]);
	expect(git(store.gitDir, 'show', `${tip}:deep/mine.txt`)).toBe('mine');
});

test('what is gone already can’t be taken over', async () => {
	const {root, store, base} = await makeWorld();
	write(root, {'mine.txt': 'mine\n'});
	const tip = commitAll(root);
	git(root, 'reset', '--quiet', '--hard', base);
	collect(root);
	const gone = copyBorrowed(store, {of: [tip], beyond: [base]});
	await expect(gone).rejects.toThrow(/^git rev-list failed: /);
});

test('collecting garbage gives up nothing that the store could borrow for the moment', async () => {
	const {root, base, store, tree, snapshot} = await makeWorld();
	git(root, 'update-ref', 'refs/delegate/s/base', base);
	const files = {'deep/gen.txt': 'generated\n'};
	passing(root, files);
	write(tree, files);
	const {commit} = await snapshot();
	// In the person's repository they are in a pack as well for now.
	write(root, files);
	commitAll(root);
	git(root, 'repack', '--quiet', '-a', '-d');
	await collectGarbage(store, new Date(Date.now() + 60_000), [base]);
	git(root, 'reset', '--quiet', '--hard', base);
	collect(root);
	expect(missing(store.gitDir, commit)).toEqual([]);
	expect(git(store.gitDir, 'show', `${commit}:deep/gen.txt`)).toBe('generated');
	// What is pinned there is not copied.
	const blob = git(root, 'rev-parse', `${base}:readme.md`);
	expect(await notHeldIn(join(store.gitDir, 'objects'), [base, blob])).toEqual([base, blob]);
	await collectGarbage(store, new Date(Date.now() + 60_000), [base]);
	expect(packs(store)).toContain('packs: 1\n');
});

test('what a clone without blobs of its own has never fetched is left out where that may be', async () => {
	const origin = makeRepository({'a.txt': 'first\n'});
	git(origin, 'config', 'uploadpack.allowFilter', 'true');
	const root = join(temporaryFolder(), 'clone');
	git(origin, 'clone', '--quiet', '--filter=blob:none', `file://${origin}`, root);
	for (const text of ['second\n', 'third\n']) {
		write(origin, {'a.txt': text});
		commitAll(origin);
	}

	git(root, 'pull', '--quiet');
	const [base, tip] = [git(root, 'rev-parse', 'HEAD~2'), git(root, 'rev-parse', 'HEAD')];
	const store = await openStore(join(temporaryFolder(), 'store.git'), await openRepository(root));
	const parts = {of: [tip], beyond: [base]};
	await expect(copyBorrowed(store, parts)).rejects.toThrow('missing');
	await copyBorrowed(store, {...parts, isLenient: true});
	expect(await notHeldIn(join(store.gitDir, 'objects'), [tip])).toEqual([]);
});
