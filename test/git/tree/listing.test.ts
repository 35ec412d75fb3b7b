import {chmodSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pin} from '../../../src/git/store/store.ts';
import {entriesOf} from '../../../src/git/tree/listing.ts';
import {decodePath} from '../../../src/lib/text/byte-path.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {type Files, git, write} from '../../helpers/repository.ts';
import {twoSides} from '../../helpers/two-sides.ts';
import {makeStore} from '../world.ts';

const instead = installInsteadOfGit();

const fails = 'echo "no more of it" >&2; exit 3';

const sides = () => twoSides({base: {'a.txt': 'a\n'}, a: {'b.txt': 'b\n'}, b: {'c.txt': 'c\n'}});

test('one tree is listed, however often it is asked for, and others are told by what differs', async () => {
	const {store, a, b} = await sides();
	expect([...(await entriesOf(store, a)).keys()]).toEqual(['a.txt', 'b.txt']);
	instead('ls-tree', fails);
	expect([...(await entriesOf(store, a)).keys()]).toEqual(['a.txt', 'b.txt']);
	expect([...(await entriesOf(store, b)).keys()]).toEqual(['a.txt', 'c.txt']);
});

test('a tree that is named by a ref is listed each time, for the ref may move', async () => {
	const {store, a, b} = await sides();
	const ref = 'refs/delegate/any';
	await pin(store, {ref, oid: a});
	await entriesOf(store, ref);
	git(store.gitDir, 'update-ref', ref, b);
	expect([...(await entriesOf(store, ref)).keys()]).toEqual(['a.txt', 'c.txt']);
});

test('a list that failed is made again', async () => {
	const {store, base} = await makeStore({'a.txt': 'a\n'});
	instead('ls-tree', fails);
	await expect(entriesOf(store, base)).rejects.toThrow('no more of it');
	expect([...(await entriesOf(store, base)).keys()]).toEqual(['a.txt']);
});

test('where it can’t be told what differs, a tree is listed', async () => {
	const {store, a, b} = await sides();
	await entriesOf(store, a);
	instead('diff-tree', fails);
	expect([...(await entriesOf(store, b)).keys()]).toEqual(['a.txt', 'c.txt']);
	instead('ls-tree', fails);
	expect((await entriesOf(store, b)).has('c.txt')).toBe(true);
});

/** Their bytes are in another order than their characters, and their folders than their names. */
const names = ['a', 'a-b', 'a.b/c', 'a/b', 'a0', 'ö/ö.ts', 'x/.gitignore', '\u{1f600}', '\uff5e/y'];

/** Reads what git itself lists. */
const listed = (root: string, tree: string): ReadonlyMap<string, unknown> =>
	new Map(
		git(root, '-c', 'core.quotePath=false', 'ls-tree', '-r', '-z', tree)
			.split('\0')
			.filter(line => line !== '')
			.map(line => {
				const [entry = '', path = ''] = line.split('\t');
				const [mode, , oid] = entry.split(' ');
				return [decodePath(Buffer.from(path)), {mode, oid}];
			}),
	);

test.each([
	['a few files', 0],
	['more than are looked up one by one', 1100],
])('whatever tree was listed before, each has what git lists of it: %s', async (_, count) => {
	const many = Array.from({length: count}, (_, at) => [`many/${at}`, `${at}`]);
	const files: Files = Object.fromEntries(
		names.filter(name => name !== 'a').map(name => [name, name]),
	);
	const {store, root, ...commits} = await twoSides({
		base: files,
		a: at => {
			rmSync(join(at, 'a'), {recursive: true});
			write(at, {...Object.fromEntries(many), a: 'no folder', a0: 'other'});
			chmodSync(join(at, 'a-b'), 0o755);
		},
		b: at => {
			rmSync(join(at, 'a0'));
			symlinkSync('a-b', join(at, 'a0'));
			write(at, {'a/c': 'new', '\uff5e/z/w': 'new'});
		},
	});
	for (const from of [commits.base, commits.a, commits.b]) {
		for (const tree of [from, commits.base, commits.a, commits.b]) {
			const entries = await entriesOf(store, tree);
			const expected = listed(root, tree);
			expect(new Map(entries)).toEqual(expected);
			for (const name of [...expected.keys(), ...names, 'a/', '', 'zz', 'many/7'].toReversed()) {
				expect(entries.get(name), name).toEqual(expected.get(name));
				expect(entries.has(name), name).toBe(expected.has(name));
			}

			const rules = [...entries.containing('.gitignore')].map(([path]) => path);
			expect(rules).toContain('x/.gitignore');
			expect(['', 'a.b', '\uff5e', 'a', 'no', 'x/.git'].map(entries.hasFolder)).toEqual([
				...[true, true, true],
				...[!expected.has('a'), false, false],
			]);
		}
	}
});
