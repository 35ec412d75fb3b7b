import {chmodSync, existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {isPinned} from '../../../src/git/store/pinned.ts';
import {openStore} from '../../../src/git/store/store.ts';
import {putRawBytesBack} from '../../../src/git/worktree/snapshot/raw-bytes.ts';
import {wholeWorktree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

type World = Awaited<ReturnType<typeof makeWorld>>;

/** Returns what the store keeps of a file, without its last line end. */
const kept = ({store}: World, name: string): string => git(store.gitDir, 'cat-file', 'blob', name);

const rawPaths = ({store}: World, commit: string): readonly string[] =>
	git(store.gitDir, 'ls-tree', '-r', '--name-only', `${commit}^2`).split('\n');

const isAllPinned = async ({store, tree, base}: World): Promise<boolean> => {
	const now = await wholeWorktree(store, {tree, seed: base});
	return isPinned(store, 'refs/delegate', now);
};

const bytesOf = ({tree}: World, path: string): string => readFileSync(join(tree, path), 'utf8');

test('what git converts is merged converted, and kept byte for byte', async () => {
	const world = await makeWorld({
		'.gitattributes': '* text=auto\n',
		'a.txt': 'a\n',
		'b.txt': 'b\n',
	});
	const {tree, store, snapshot} = world;
	write(tree, {'mixed.txt': 'a\r\nb\n', 'plain.txt': 'plain\n', 'a.txt': 'a\r\n'});
	const {commit} = await snapshot();
	expect(kept(world, `${commit}:mixed.txt`)).toBe('a\nb');
	expect(kept(world, `${commit}^2:mixed.txt`)).toBe('a\r\nb');
	expect(rawPaths(world, commit)).toEqual(['a.txt', 'mixed.txt']);

	write(tree, {'b.txt': 'b\r\n'});
	expect(await isAllPinned(world)).toBe(false);
	const second = await snapshot();
	expect(rawPaths(world, second.commit)).toEqual(['a.txt', 'b.txt', 'mixed.txt']);
	expect(second.tree).toBe(git(store.gitDir, 'rev-parse', `${commit}^{tree}`));
	expect(await isAllPinned(world)).toBe(true);
	expect(git(store.gitDir, 'rev-parse', `${second.commit}^`)).toBe(world.base);
});

test('line endings are kept that change places, come and go while git sees the same text', async () => {
	const world = await makeWorld({
		'.gitattributes': '* text=auto\n',
		'mixed.txt': 'a\nb\n',
		'plain.txt': 'c\nd\n',
	});
	const {tree, snapshot} = world;
	write(tree, {'mixed.txt': 'a\r\nb\n'});
	const {tree: held} = await snapshot();
	const written = [
		{'mixed.txt': 'a\nb\r\n'},
		{'plain.txt': 'c\r\nd\n'},
		{'mixed.txt': 'a\nb\n'},
		{'new.txt': 'e\r\n'},
	];
	let raw: Readonly<Record<string, string>> = {'mixed.txt': 'a\r\nb\n'};
	for (const files of written) {
		write(tree, files);
		raw = {...raw, ...files};
		const {commit} = await snapshot();
		const other = Object.entries(raw).filter(([, bytes]) => bytes.includes('\r'));
		expect(rawPaths(world, commit)).toEqual(other.map(([path]) => path).toSorted());
		for (const [path, bytes] of other) {
			expect([path, kept(world, `${commit}^2:${path}`)]).toEqual([path, bytes.replace(/\n$/, '')]);
		}

		expect(git(world.store.gitDir, 'rev-parse', `${commit}:plain.txt`)).toBe(
			git(world.store.gitDir, 'rev-parse', `${held}:plain.txt`),
		);
	}
});

test.each([
	['nothing is converted', {'a.txt': 'a\n'}, 'a\r\nb\n'],
	['nothing needs to be', {'a.txt': 'a\n', '.gitattributes': '* text=auto\n'}, 'a\nb\n'],
])('a snapshot has nothing beside where %s', async (_, files, bytes) => {
	const world = await makeWorld(files);
	const {store, tree} = world;
	write(tree, {'a.txt': bytes});
	const {commit, tree: held} = await world.snapshot();
	expect(git(store.gitDir, 'rev-list', commit)).toBe(`${commit}\n${world.base}`);
	expect(kept(world, `${commit}:a.txt`)).toBe(bytes.trimEnd());
	await putRawBytesBack(store, {tree, held, snapshot: commit});
	expect(bytesOf(world, 'a.txt')).toBe(bytes);
});

test('what a person’s own setting converts is kept as well', async () => {
	const world = await makeWorld({'a.txt': 'a\n'});
	git(world.root, 'config', 'core.autocrlf', 'input');
	await openStore(world.store.gitDir, await openRepository(world.root));
	write(world.tree, {'a.txt': 'a\r\nb\n'});
	const {commit} = await world.snapshot();
	expect(kept(world, `${commit}:a.txt`)).toBe('a\nb');
	expect(kept(world, `${commit}^2:a.txt`)).toBe('a\r\nb');
});

test('files get the bytes back that they had at a snapshot, whatever git would write for them', async () => {
	const attributes = '* text=auto\n*.bat eol=crlf\n*.id ident\n';
	const world = await makeWorld({'.gitattributes': attributes, 'old.bat': 'old\n', 'x.txt': 'x\n'});
	const {tree, store, snapshot} = world;
	const files = {
		'mixed.txt': 'a\r\nb\n',
		'unix.bat': 'unix\n',
		'old.bat': 'old\r\n',
		'own.id': '$Id: mine $\n',
		'd/new\nline "q" \\.txt': 'n\r\n',
		'"quoted".txt': 'q\r\n',
	};
	write(tree, files);
	chmodSync(join(tree, 'mixed.txt'), 0o755);
	const {commit, tree: held} = await snapshot();
	for (const path of Object.keys(files)) {
		writeFileSync(join(tree, path), 'what git wrote\n');
	}

	write(tree, {'x.txt': 'another one\n'});
	await putRawBytesBack(store, {tree, held, snapshot: commit});
	for (const [path, bytes] of Object.entries(files)) {
		expect([path, bytesOf(world, path)]).toEqual([path, bytes]);
	}

	expect(bytesOf(world, 'x.txt')).toBe('x\n');
	const later = await snapshot();
	expect(later.tree).toBe(held);
	expect(git(store.gitDir, 'ls-tree', later.commit, 'mixed.txt')).toContain('100755');
	expect(await isAllPinned(world)).toBe(true);

	const other = git(store.gitDir, 'rev-parse', `${world.base}^{tree}`);
	rmSync(join(tree, 'x.txt'));
	write(tree, {'unix.bat': 'not held\n', 'old.bat': 'held\n'});
	await putRawBytesBack(store, {tree, held: other, snapshot: commit});
	expect(bytesOf(world, 'unix.bat')).toBe('not held\n');
	expect(bytesOf(world, 'old.bat')).toBe('old\r\n');
	expect(existsSync(join(tree, 'x.txt'))).toBe(false);
});

test('work is kept also where git can’t convert it', async () => {
	const world = await makeWorld({'a.txt': 'a\n'});
	write(world.tree, {
		'.gitattributes': '*.txt working-tree-encoding=UTF-16\n*.md text\n',
		...{'a.txt': 'odd\n', 'b.md': 'b\r\n', 'c.txt': 'odd, too\n', 'd/e.js': 'e\n'},
	});
	chmodSync(join(world.tree, 'c.txt'), 0o755);
	const {commit, skipped} = await world.snapshot();
	expect(skipped).toEqual([]);
	const blobs = ['a.txt', 'b.md', 'c.txt', 'd/e.js'].map(path => kept(world, `${commit}:${path}`));
	expect(blobs).toEqual(['odd', 'b', 'odd, too', 'e']);
	expect(git(world.store.gitDir, 'ls-tree', commit, 'c.txt')).toContain('100755');
	expect(rawPaths(world, commit)).toEqual(['b.md']);
	expect(await isAllPinned(world)).toBe(true);
});
