import {randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	collectGarbage,
	isPinned,
	pinAll,
	pinnedBytes,
	unpinAll,
} from '../../../src/git/store/pinned.ts';
import {refsBelow} from '../../../src/git/store/store.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

test('garbage is collected once it is old, since somebody may be about to pin what is young', async () => {
	const {store, tree} = await makeWorld({'a.txt': 'a\n'});
	write(tree, {'young.txt': 'young\n'});
	const young = git(store.gitDir, 'hash-object', '-w', join(tree, 'young.txt'));
	const has = () => git(store.gitDir, 'cat-file', '--batch-all-objects', '--batch-check');
	await collectGarbage(store, new Date(Date.now() - 60_000));
	expect(has()).toContain(young);
	await collectGarbage(store, new Date(Date.now() + 60_000));
	expect(has()).not.toContain(young);
});

test('refs are told by the space that goes with them, and go together', async () => {
	const {store, tree, snapshot} = await makeWorld({'a.txt': 'a\n'});
	expect(await pinnedBytes(store, 'refs/delegate/s')).toBe(0);
	write(tree, {'large.bin': randomBytes(100_000)});
	const {commit} = await snapshot();
	expect(await pinnedBytes(store, 'refs/delegate/s')).toBeGreaterThan(100_000);
	await pinAll(store, 'refs/delegate/other', [commit, 'a'.repeat(40)]);
	expect([...(await refsBelow(store, 'refs/delegate/other'))]).toEqual([
		[`refs/delegate/other/${commit}`, commit],
	]);
	expect(await pinnedBytes(store, 'refs/delegate/s')).toBe(0);
	await unpinAll(store, 'refs/delegate');
	await unpinAll(store, 'refs/delegate');
	expect(await refsBelow(store, 'refs/delegate')).toEqual(new Map());
});

test('a store that lacks what its refs lead to says nothing of space, and fails nobody', async () => {
	const {store, tree, snapshot} = await makeWorld({'a.txt': 'a\n'});
	write(tree, {'b.txt': 'b\n'});
	const {tree: oid} = await snapshot();
	rmSync(join(store.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)));
	expect(await pinnedBytes(store, 'refs/delegate/s')).toBe(0);
});

test('a tree is pinned whole only beside the bytes that git would write otherwise', async () => {
	const {store, tree, snapshot} = await makeWorld({'a.txt': 'a\n'});
	write(tree, {'b.txt': 'b\n'});
	const {tree: pinned, commit} = await snapshot();
	expect(await isPinned(store, 'refs/delegate/s', {tree: pinned})).toBe(true);
	expect(await isPinned(store, 'refs/delegate/other', {tree: pinned})).toBe(false);
	const raw = git(store.gitDir, 'rev-parse', `${commit}~^{tree}`);
	expect(await isPinned(store, 'refs/delegate/s', {tree: pinned, raw})).toBe(false);
	const commitOf = (treeish: string, ...parents: readonly string[]): string =>
		git(store.gitDir, 'commit-tree', treeish, '-m', 'x', ...parents.flatMap(one => ['-p', one]));
	const beside = commitOf(pinned, `${commit}~`, commitOf(raw));
	await pinAll(store, 'refs/delegate/beside', [beside]);
	expect(await isPinned(store, 'refs/delegate/beside', {tree: pinned, raw})).toBe(true);
	expect(await isPinned(store, 'refs/delegate/beside', {tree: raw, raw})).toBe(false);
});
