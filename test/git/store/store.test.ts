import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pinBase} from '../../../src/git/repository/base-ref.ts';
import {unpinAll} from '../../../src/git/store/pinned.ts';
import {commitTree, openStore, pin, readRef, refsBelow} from '../../../src/git/store/store.ts';
import {readBlob, readBlobs, writeBlob} from '../../../src/git/tree/blobs.ts';
import {changes, inverse} from '../../../src/git/tree/changes.ts';
import {entriesAt} from '../../../src/git/tree/entry.ts';
import {graft, treeOf} from '../../../src/git/tree/graft.ts';
import {entriesOf} from '../../../src/git/tree/listing.ts';
import {decodePath} from '../../../src/lib/text/byte-path.ts';
import {belongings, git, write} from '../../helpers/repository.ts';
import {makeStore} from '../world.ts';

const at = '2026-11-21T20:00:00.500Z';

test('the same parts make the same commit, in the name of whom it is by', async () => {
	const {store, base, root} = await makeStore();
	const before = belongings(root);
	const parts = {
		tree: `${base}^{tree}`,
		parents: [base],
		message: 'A subject\n\nand a body: ä\n',
		at,
		identity: {name: 'Ada Person', email: 'ada@example.org'},
	};
	const oid = await commitTree(store, parts);
	expect(await commitTree(store, parts)).toBe(oid);
	expect(await commitTree(store, {...parts, at: '2026-11-21T20:00:01Z'})).not.toBe(oid);
	expect(git(store.gitDir, 'log', '-1', '--format=%P|%an <%ae>|%ct|%cn|%B', oid)).toBe(
		`${base}|Ada Person <ada@example.org>|1795291200|Ada Person|A subject\n\nand a body: ä\n`,
	);
	expect(belongings(root)).toEqual(before);
});

test('a ref is made once, and not moved', async () => {
	const {store, base} = await makeStore();
	const ref = 'refs/delegate/s/merge';
	const commit = (message: string) =>
		commitTree(store, {tree: `${base}^{tree}`, parents: [base], message, at});
	const [one, other] = [await commit('one'), await commit('other')];
	await pin(store, {ref, oid: one});
	await pin(store, {ref, oid: one});
	await expect(pin(store, {ref, oid: other})).rejects.toMatchObject({
		kind: 'refused',
		message: `${ref} stands at ${one}, not at ${other}.`,
	});
	expect(await refsBelow(store, 'refs/delegate/s')).toEqual(new Map([[ref, one]]));
	await unpinAll(store, ref);
	await unpinAll(store, ref);
	expect(await readRef(store, ref)).toBeUndefined();
});

test('a lock that a killed git has left on a ref of ours is taken away, in the store and in the person’s repository', async () => {
	const {store, repository, base, root} = await makeStore();
	const ref = 'refs/delegate/s/AGT-001/baseline';
	write(store.gitDir, {[`${ref}.lock`]: ''});
	await pin(store, {ref, oid: base});
	expect(await readRef(store, ref)).toBe(base);
	write(join(root, '.git'), {'refs/delegate/s/base.lock': base});
	await pinBase(repository, 's', base);
	expect(git(root, 'rev-parse', 'refs/delegate/s/base')).toBe(base);
});

test('a ref that can’t be written fails in git’s words', async () => {
	const {store, base} = await makeStore();
	await pin(store, {ref: 'refs/delegate/s/x', oid: base});
	await expect(pin(store, {ref: 'refs/delegate/s/x/y', oid: base})).rejects.toMatchObject({
		kind: 'internal',
		message: expect.stringContaining("'refs/delegate/s/x' exists"),
	});
});

test('a store that is opened again keeps what it holds', async () => {
	const {store, repository, base} = await makeStore();
	await pin(store, {ref: 'refs/delegate/s/x', oid: base});
	expect(await openStore(store.gitDir, repository)).toEqual(store);
	expect(await readRef(store, 'refs/delegate/s/x')).toBe(base);
	expect(existsSync(join(store.gitDir, 'hooks'))).toBe(false);
});

test('a store that is opened while another uses it is written to only where something changed', async () => {
	const {store, repository, root} = await makeStore();
	const files = ['objects/info/alternates', 'info/exclude', 'borrowed.config'];
	const look = () => files.map(file => statSync(join(store.gitDir, file)).ctimeMs);
	const before = look();
	await openStore(store.gitDir, repository);
	expect(look()).toEqual(before);
	git(root, 'config', 'user.name', 'Somebody Else');
	await openStore(store.gitDir, repository);
	const [alternates, exclude, config] = look();
	expect([alternates, exclude]).toEqual(before.slice(0, 2));
	expect(config).not.toBe(before[2]);
});

test('blobs are read one by one or together, byte for byte', async () => {
	const {store} = await makeStore();
	const contents = [Buffer.from('a\n'), Buffer.alloc(0), Buffer.from([0, 0xff, 0x0a, 0x0a])];
	const oids = await Promise.all(contents.map(content => writeBlob(store, content)));
	const blobs = await readBlobs(store, [...oids, '1'.repeat(40)]);
	expect(oids.map(oid => blobs.get(oid))).toEqual(contents);
	expect(blobs.size).toBe(3);
	expect(await readBlob(store, oids[2] ?? '')).toEqual(contents[2]);
	expect(await readBlobs(store, [])).toEqual(new Map());
});

test('a graft writes changes over a tree and leaves the rest of it alone', async () => {
	const {store, base} = await makeStore({'a.txt': 'a', 'b/c': 'c', 'd/e': 'e', f: 'f', keep: 'k'});
	const oid = await writeBlob(store, Buffer.from('new'));
	const file = {mode: '100644', oid};
	const old = (await entriesOf(store, base)).get('a.txt') ?? file;
	const odd = decodePath(Uint8Array.of(0x6f, 0xff));
	const tree = await graft(store, {
		onto: base,
		changes: [
			{status: 'M', path: 'a.txt', old, new: {mode: '100755', oid}},
			{status: 'A', path: 'b', new: file},
			{status: 'D', path: 'b/c', old},
			{status: 'A', path: 'f/g', new: file},
			{status: 'D', path: 'f', old},
			{status: 'D', path: 'not/there', old},
			{status: 'A', path: odd, new: file},
			{status: 'A', path: 'line\nbreak', new: file},
		],
	});
	const found = await changes(store, base, tree);
	expect(new Map(found.map(({status, path}) => [path, status]))).toEqual(
		new Map([
			['a.txt', 'M'],
			['b', 'A'],
			['b/c', 'D'],
			['f', 'D'],
			['f/g', 'A'],
			[odd, 'A'],
			['line\nbreak', 'A'],
		]),
	);
	expect(await graft(store, {onto: tree, changes: found.map(inverse)})).toBe(
		git(store.gitDir, 'rev-parse', `${base}^{tree}`),
	);
	expect(await graft(store, {onto: base, changes: []})).toBe(
		git(store.gitDir, 'rev-parse', `${base}^{tree}`),
	);
});

test('a path into a git folder can’t be grafted', async () => {
	const {store, base} = await makeStore();
	const oid = await writeBlob(store, Buffer.from('x'));
	for (const path of ['.git/config', 'a/../b', '.GIT/hooks/x', '/etc/x']) {
		const changes = [{status: 'A', path, new: {mode: '100644', oid}} as const];
		await expect(graft(store, {onto: base, changes}), path).rejects.toMatchObject({
			kind: 'refused',
		});
	}
});

test('a tree is made of entries alone, and entries are read back by path', async () => {
	const {store} = await makeStore();
	const oid = await writeBlob(store, Buffer.from('x'));
	const link = {mode: '120000', oid};
	const tree = await treeOf(store, [
		['a b', link],
		['-c/d', link],
	]);
	expect(new Map(await entriesOf(store, tree))).toEqual(
		new Map([
			['-c/d', link],
			['a b', link],
		]),
	);
	expect(await entriesAt(store, tree, ['a b', 'nope'])).toEqual(new Map([['a b', link]]));
	expect([...(await entriesOf(store, await treeOf(store, [])))]).toEqual([]);
});
