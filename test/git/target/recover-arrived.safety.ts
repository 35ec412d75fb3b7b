import {chmodSync, lstatSync, rmSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commitTree} from '../../../src/git/store/store.ts';
import {clearUp} from '../../../src/git/target/interrupted/clear-up.ts';
import {publish} from '../../../src/git/target/publish.ts';
import {takeBack} from '../../../src/git/target/take-back.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {type Files, git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';
import {makeMerged} from './undo-world.ts';

const instead = installInsteadOfGit();

/** A publication, or the undo of one, that was cut off when all had arrived but `a.txt`, which nobody has touched. */
const makeArrived = async (way: 'merge' | 'undo' = 'merge') => {
	const merged = await makeMerged();
	const {root, repository, store} = merged;
	const [from, to] = way === 'merge' ? [merged.from, merged.to] : [merged.to, merged.from];
	if (way === 'merge') {
		await merged.goBack();
	}

	const before = pictureOf(root);
	// A file's time is looked at with some slack, and this one was there before.
	const since = new Date(lstatSync(join(root, 'a.txt')).ctimeMs + 1002).toISOString();
	const parts = {target: 'main', store, interrupted: [{from, to, since}]};
	const [come, gone] = way === 'merge' ? ['new', 'gone'] : ['gone', 'new'];
	git(root, 'update-ref', 'refs/heads/main', to);
	git(root, 'read-tree', to);
	write(root, {[`${come}.txt`]: `${come}\n`});
	rmSync(join(root, `${gone}.txt`));
	const move = way === 'merge' ? publish : takeBack;
	return {
		...{root, to, before},
		again: () => move(repository, {...parts, from, to}),
		clear: () => clearUp(repository, parts),
	};
};

test('a move that had arrived without a file when it was killed comes whole at the next try', async () => {
	const {root, to, again} = await makeArrived();
	expect(git(root, 'status', '--porcelain')).toBe(' M a.txt');
	expect(await again()).toEqual({published: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('it goes back where nobody goes on with it, and the branch tells why', async () => {
	const {root, before, clear} = await makeArrived();
	expect(await clear()).toBeUndefined();
	expect(pictureOf(root)).toBe(before);
	expect(git(root, 'reflog', '-1', 'main')).toContain('not all files could be moved');
});

test('it stays while another command holds the branch', async () => {
	const {root, to, clear} = await makeArrived();
	write(root, {'.git/refs/heads/main.lock': 'theirs\n'});
	const found = pictureOf(root);
	expect(await clear()).toMatchObject({cause: 'locked'});
	expect(pictureOf(root)).toBe(found);
	expect(git(root, 'rev-parse', 'main')).toBe(to);
});

test('it stays as long as git refuses to move the branch, and goes back at the next try', async () => {
	const {root, to, before, clear} = await makeArrived();
	const found = pictureOf(root);
	instead('update-ref', 'echo "fatal: not today" >&2; exit 128');
	expect(await clear()).toMatchObject({
		cause: 'cut-off',
		message: expect.stringContaining('Git refused to move main: not today, so '),
		paths: ['a.txt'],
	});
	expect(pictureOf(root)).toBe(found);
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(await clear()).toBeUndefined();
	expect(pictureOf(root)).toBe(before);
});

test('it stays where a person has edited what it brought', async () => {
	const {root, again} = await makeArrived();
	write(root, {'new.txt': 'mine\n'});
	const found = pictureOf(root);
	expect(await again()).toEqual({published: true});
	expect(pictureOf(root)).toBe(found);
});

test.for<[string, (root: string, to: string) => void, RegExp]>([
	['a tag', (root, to) => git(root, 'tag', 'v1', to), /^Others stand on main \(v1\), so /],
	[
		'a remote branch',
		(root, to) => {
			git(root, 'update-ref', 'refs/remotes/origin/main', to);
		},
		/^Others stand on main \(origin\/main\), so /,
	],
	[
		'a merge that a person has begun',
		(root, to) => {
			const {tree, theirs} = {tree: `${to}^{tree}`, theirs: 'theirs'};
			const head = git(root, 'commit-tree', tree, '-p', to, '-m', theirs);
			write(root, {'.git/MERGE_HEAD': `${head}\n`});
		},
		/^A merge is in progress in .*, so /,
	],
])('it stays where %s stands on it, and what it left is told', async ([, stand, why]) => {
	const {root, to, again, clear} = await makeArrived();
	stand(root, to);
	const found = pictureOf(root);
	const told = {cause: 'cut-off', message: expect.stringMatching(why), paths: ['a.txt']};
	expect(await again()).toMatchObject({published: false, ...told});
	expect(await clear()).toMatchObject(told);
	expect(pictureOf(root)).toBe(found);
	git(root, 'checkout', '--quiet', '--', 'a.txt');
	expect(await again()).toEqual({published: true});
});

test('an undo goes back from where others stand, since they stand on what it goes back to as well', async () => {
	const {root, to, before, clear, again} = await makeArrived('undo');
	git(root, 'tag', 'v1', to);
	expect(await clear()).toBeUndefined();
	git(root, 'tag', '--delete', 'v1');
	expect(pictureOf(root)).toBe(before);
	expect(await again()).toEqual({published: true});
});

test.for<[string, Files, (tree: string, root: string) => void]>([
	[
		'its rights',
		{'run.sh': '#!/bin/sh\n'},
		(tree, root) => {
			git(root, 'config', 'core.fileMode', 'false');
			chmodSync(join(tree, 'run.sh'), 0o755);
		},
	],
	[
		'its line ends',
		{'run.sh': 'one\n'},
		(tree, root) => {
			git(root, 'config', 'core.autocrlf', 'input');
			write(tree, {'run.sh': 'one\r\n'});
		},
	],
])(
	'a move that changes nothing of a file but %s, which git isn’t to look at, stays',
	async ([, files, change]) => {
		const {root, repository, store, base: from, tree, snapshot} = await makeWorld(files);
		change(tree, root);
		const commit = {tree: (await snapshot()).tree, parents: [from], message: 'Work'};
		const to = await commitTree(store, {...commit, at: '2026-11-21T20:00:00Z'});
		const since = new Date().toISOString();
		expect(await publish(repository, {target: 'main', store, from, to})).toEqual({published: true});
		// Git looks into files whose times are other ones than it remembers.
		utimesSync(join(root, 'run.sh'), 0, 0);
		const interrupted = [{from, to, since}];
		expect(await clearUp(repository, {target: 'main', store, interrupted})).toBeUndefined();
		expect(git(root, 'rev-parse', 'main')).toBe(to);
	},
);
