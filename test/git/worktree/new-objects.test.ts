import {mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lineOf} from '../../../src/git/process/result.ts';
import {type GitLocation, sealed} from '../../../src/git/process/sealed.ts';
import {collectGarbage} from '../../../src/git/store/pinned.ts';
import type {Store} from '../../../src/git/store/store.ts';
import {withNewObjects} from '../../../src/git/worktree/snapshot/new-objects.ts';
import {writeCommit} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const writeBlob = async (place: GitLocation, input: string): Promise<string> =>
	lineOf(await sealed(place, ['hash-object', '-w', '--stdin'], {input}));

/** Returns how many objects of a store lie alone, how many packs there are, and what git has to say against them. */
const storeOf = ({gitDir}: Store) => {
	const counts = git(gitDir, 'count-objects', '-v');
	const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counts)?.[1]);
	const complaints = git(gitDir, 'fsck', '--full', '--no-dangling', '--no-progress');
	return {alone: of('count'), packs: of('packs'), complaints};
};

const temporaries = ({gitDir}: Store): readonly string[] =>
	readdirSync(join(gitDir, 'objects')).filter(name => name.startsWith('tmp_'));

const asItIs = async <Result>(result: Result): Promise<Result> => result;

test('new objects can be used at once, and the store has them afterwards', async () => {
	const {store} = await makeWorld();
	const oid = await withNewObjects(
		store,
		async place => {
			const written = await writeBlob(place, 'new\n');
			expect(lineOf(await sealed(place, ['cat-file', 'blob', written]))).toBe('new');
			expect(() => git(store.gitDir, 'cat-file', '-e', written)).toThrow();
			return written;
		},
		asItIs,
	);
	expect(git(store.gitDir, 'cat-file', 'blob', oid)).toBe('new');
	expect(temporaries(store)).toEqual([]);
});

test('nothing comes into the store when something fails', async () => {
	const {store} = await makeWorld();
	const before = storeOf(store);
	const failing = withNewObjects(
		store,
		async place => {
			await writeBlob(place, 'new\n');
			throw new Error('no more');
		},
		asItIs,
	);
	await expect(failing).rejects.toThrow('no more');
	expect(storeOf(store)).toEqual(before);
	expect(temporaries(store)).toEqual([]);
});

/** Writes an object, leaves half of one behind, and tells in which folder, and what was in that before. */
const lend = (store: Store, input: string, until: () => Promise<unknown> = async () => {}) =>
	withNewObjects(
		store,
		async place => {
			const {newObjects} = place;
			const found = readdirSync(newObjects, {recursive: true, encoding: 'utf8'});
			const oid = await writeBlob(place, input);
			writeFileSync(join(newObjects, oid.slice(0, 2), 'tmp_obj_half'), 'half');
			await until();
			return {oid, inode: statSync(newObjects).ino, found: found.filter(isObject)};
		},
		asItIs,
	);

const isObject = (path: string): boolean => /^[\da-f]{2}\/./.test(path);

test('the folder is kept for the next one, who finds no object in it', async () => {
	const {store} = await makeWorld();
	const first = await lend(store, 'one\n');
	const second = await lend(store, 'two\n');
	expect(second.inode).toBe(first.inode);
	expect([...first.found, ...second.found]).toEqual([]);
	for (const {oid} of [first, second]) {
		expect(git(store.gitDir, 'cat-file', '-t', oid)).toBe('blob');
	}

	expect(storeOf(store).complaints).toBe('');
});

test('of two at once each has a folder, and one of them is kept', async () => {
	const {store} = await makeWorld();
	const inodes: number[] = [];
	const outer = await lend(store, 'outer\n', async () => {
		const inner = await lend(store, 'inner\n');
		inodes.push(inner.inode);
		expect(git(store.gitDir, 'cat-file', '-t', inner.oid)).toBe('blob');
	});
	expect(inodes).not.toContain(outer.inode);
	expect(git(store.gitDir, 'cat-file', '-t', outer.oid)).toBe('blob');
	expect(temporaries(store)).toEqual([]);
	const next = await lend(store, 'next\n');
	expect(inodes).toContain(next.inode);
});

test('whatever stands where the folder is kept is no reason to fail', async () => {
	const {store, base} = await makeWorld();
	const spare = join(store.gitDir, 'spare-objects');
	writeFileSync(spare, 'no folder');
	await lend(store, 'one\n');
	rmSync(spare);
	await lend(store, 'two\n');
	// As a cut of the power leaves what was never synced, and a file manager a folder that was looked at.
	writeFileSync(join(spare, 'info/alternates'), '');
	writeFileSync(join(spare, '.DS_Store'), 'icons');
	const kindOf = async (place: GitLocation) =>
		lineOf(await sealed(place, ['cat-file', '-t', base]));
	expect(await withNewObjects(store, kindOf, asItIs)).toBe('commit');
	expect(temporaries(store)).toEqual([]);
});

test('a kept folder that can’t be made use of is told once, and gone', async () => {
	const {store} = await makeWorld();
	await lend(store, 'one\n');
	const info = join(store.gitDir, 'spare-objects/info');
	rmSync(info, {recursive: true});
	writeFileSync(info, 'no folder');
	await expect(lend(store, 'two\n')).rejects.toThrow(
		/^New objects could not be written into the store: .*EEXIST/,
	);
	expect(temporaries(store)).toEqual([]);
	await lend(store, 'three\n');
});

test('a commit is written as often as it is tried, and a failure has a cause', async () => {
	const {store, base} = await makeWorld();
	const tree = git(store.gitDir, 'rev-parse', `${base}^{tree}`);
	const parts = {tree, parents: [base], message: 'twice', at: '2026-11-21T20:00:00Z'};
	const written = await withNewObjects(
		store,
		async place => [await writeCommit(place, parts), await writeCommit(place, parts)],
		asItIs,
	);
	expect(new Set(written).size).toBe(1);
	expect(git(store.gitDir, 'show', '--no-patch', '--format=%s %T', written[0] ?? '')).toBe(
		`twice ${tree}`,
	);
	const newObjects = join(store.gitDir, 'HEAD');
	await expect(writeCommit({...store, newObjects}, parts)).rejects.toThrow(
		/^New objects could not be written into the store: .*ENOTDIR/,
	);
});

test('99 objects come one by one, and 100 as a pack', async () => {
	const {base, store} = await makeWorld();
	const blob = git(store.gitDir, 'rev-parse', `${base}:readme.md`);
	const writeAll = (amount: number) =>
		withNewObjects(
			store,
			async place => {
				const names = Array.from({length: amount}, (_, number) => `${number}-of-${amount}`);
				const input = names.map(name => `100644 blob ${blob}\t${name}\n`).join('\n');
				return lineOf(await sealed(place, ['mktree', '--batch'], {input})).split('\n');
			},
			asItIs,
		);
	const before = storeOf(store);
	const few = await writeAll(99);
	expect(storeOf(store)).toEqual({...before, alone: before.alone + 99});
	const many = await writeAll(100);
	expect(storeOf(store)).toEqual({
		...before,
		alone: before.alone + 99,
		packs: before.packs + 1,
	});
	expect(git(store.gitDir, 'ls-tree', '--name-only', few.at(-1) ?? '')).toBe('98-of-99');
	expect(git(store.gitDir, 'ls-tree', '--name-only', many.at(-1) ?? '')).toBe('99-of-100');
});

test('a snapshot of many files in many folders leaves two packs and no object beside them', async () => {
	const world = await makeWorld();
	const before = storeOf(world.store);
	const files = Object.fromEntries(
		Array.from({length: 120}, (_, number) => [`folder-${number}/file.txt`, `text ${number}\n`]),
	);
	write(world.tree, files);
	const {tree, skipped} = await world.snapshot();
	expect(skipped).toEqual([]);
	const after = storeOf(world.store);
	expect(after).toEqual({alone: before.alone, packs: before.packs + 2, complaints: ''});
	for (const [path, text] of Object.entries(files)) {
		expect(`${git(world.store.gitDir, 'show', `${tree}:${path}`)}\n`).toBe(text);
	}

	write(world.tree, {'folder-7/file.txt': 'again\n'});
	const next = await world.snapshot();
	expect(git(world.store.gitDir, 'show', `${next.tree}:folder-7/file.txt`)).toBe('again');
	expect(storeOf(world.store).packs).toBe(after.packs);
});

test('a snapshot of 31 files leaves them one by one, one of 32 in a pack', async () => {
	const world = await makeWorld();
	const before = storeOf(world.store);
	const snapshotOf = async (amount: number) => {
		for (let number = 0; number < amount; number += 1) {
			write(world.tree, {[`${number}.txt`]: `text ${number} of ${amount}\n`});
		}

		const {tree} = await world.snapshot();
		expect(git(world.store.gitDir, 'show', `${tree}:7.txt`)).toBe(`text 7 of ${amount}`);
		return storeOf(world.store);
	};

	// Beside the files, their folder and the commit.
	expect(await snapshotOf(31)).toEqual({...before, alone: before.alone + 33});
	expect(await snapshotOf(32)).toEqual({
		...before,
		alone: before.alone + 35,
		packs: before.packs + 1,
	});
});

test('what a kill left of new objects goes with the garbage', async () => {
	const {store} = await makeWorld();
	const folder = join(store.gitDir, 'objects/tmp_objdir-killed');
	mkdirSync(join(folder, 'ab'), {recursive: true});
	writeFileSync(join(folder, 'ab/tmp_obj_x'), 'half');
	const longAgo = new Date('2020-01-01T00:00:00Z');
	utimesSync(folder, longAgo, longAgo);
	await collectGarbage(store, new Date('2021-01-01T00:00:00Z'));
	expect(temporaries(store)).toEqual([]);
});
