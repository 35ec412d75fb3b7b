import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {createHub} from '../../../src/git/store/pin-hub.ts';
import {checkoutTree, openStore, refsBelow, removeCheckout} from '../../../src/git/store/store.ts';
import {worktreePath} from '../../../src/git/store/worktree-path.ts';
import {
	belongings,
	commitAll,
	filesBelow,
	git,
	makeRepository,
	script,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';
import {makeWorld, worldOf} from '../world.ts';

const hubOf = async (root: string, folder = temporaryFolder()) =>
	createHub({
		folder,
		repository: await openRepository(root),
		base: git(root, 'rev-parse', 'HEAD'),
		branch: 'agent/AGT-001',
	});

test('an agent’s hub has its one branch and nothing else of the person’s', async () => {
	const root = makeRepository({'a.txt': 'a\n', 'b/c.txt': 'c\n'});
	git(root, 'remote', 'add', 'origin', 'https://example.org/x.git');
	git(root, 'config', 'alias.evil', '!true');
	git(root, 'config', 'core.autocrlf', 'input');
	git(root, 'branch', 'other');
	write(root, {'a.txt': 'work in progress\n', '.git/info/exclude': '*.mine\n'});
	script(join(root, '.git/hooks/post-checkout'), `touch ${root}/sang`);
	git(root, 'stash', 'push', '--quiet');
	const before = belongings(root);
	const {gitDir, tree} = await hubOf(root);
	expect(belongings(root)).toEqual(before);
	expect(git(gitDir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/agent/AGT-001');
	expect(git(gitDir, 'remote')).toBe('');
	expect(git(gitDir, 'config', '--local', '--includes', '--get', 'core.autocrlf')).toBe('input');
	expect(() => git(gitDir, 'config', '--get', 'alias.evil')).toThrow();
	expect(git(tree, 'config', '--local', '--includes', 'gc.auto')).toBe('0');
	expect(git(tree, 'config', '--local', '--includes', 'maintenance.auto')).toBe('false');
	expect(existsSync(join(gitDir, 'hooks'))).toBe(false);
	expect(readFileSync(join(gitDir, 'info/exclude'), 'utf8')).toBe('*.mine\n');
	expect(Object.keys(filesBelow(tree))).toEqual(['a.txt', 'b/c.txt']);
});

test('an agent can commit in its worktree as the person, whatever their name', async () => {
	const root = makeRepository();
	git(root, 'config', 'user.name', 'A "B" \\ C;#');
	const before = belongings(root);
	const {gitDir, tree} = await hubOf(root);
	expect(git(tree, 'status', '--porcelain=v1', '--branch')).toBe('## agent/AGT-001');
	write(tree, {'a.txt': 'a'});
	commitAll(tree);
	expect(git(tree, 'log', '-1', '--format=%an <%ae>')).toBe('A "B" \\ C;# <ada@example.org>');
	expect(git(tree, 'worktree', 'list')).toContain(tree);
	renameSync(tree, `${tree}.away`);
	git(gitDir, 'worktree', 'prune');
	renameSync(`${tree}.away`, tree);
	git(tree, 'gc', '--quiet', '--prune=now');
	expect(git(tree, 'status', '--porcelain')).toBe('');
	expect(belongings(root)).toEqual(before);
});

test('a second call finds the first one’s work, the agent’s included', async () => {
	const root = makeRepository();
	const folder = temporaryFolder();
	const first = await hubOf(root, folder);
	write(first.tree, {'work.txt': 'work'});
	expect(await hubOf(root, folder)).toEqual(first);
	expect(readFileSync(join(first.tree, 'work.txt'), 'utf8')).toBe('work');
	expect(readdirSync(folder).toSorted()).toEqual(['hub.git', basename(first.tree)].toSorted());
});

test('a worktree’s name tells repository and agent, and no other worktree has it', () => {
	const home = join(temporaryFolder(), 'My.Shop-0123456789ab');
	const folders = ['1/AGT-001', '1/AGT-002', '2/AGT-001', '1/verify/12'].map(one =>
		join(home, `DEL-${one}`),
	);
	const names = folders.map(folder => basename(worktreePath(folder)));
	expect(names.map(name => name.replace(/-[\da-f]{6}$/, ''))).toEqual([
		'my-shop-agt-001',
		'my-shop-agt-002',
		'my-shop-agt-001',
		'my-shop-verify-12',
	]);
	expect(new Set(names).size).toBe(4);
});

test('Docker Compose names a project as the worktree, in each of eight', () => {
	// By its code: lower case, all else than letters, digits, `_` and `-` left out, and none of the two in front.
	const composeName = (folder: string) =>
		basename(folder)
			.toLowerCase()
			.replaceAll(/[^-_a-z0-9]/g, '')
			.replace(/^[-_]+/, '');
	const state = temporaryFolder();
	const trees = ['My.Shop-0123456789ab', '店-ba9876543210'].flatMap(home =>
		['AGT-001', 'AGT-002', 'verify/AGT-001-1-0', 'resolutions/c-1'].map(one =>
			worktreePath(join(state, home, 'DEL-20261121T190000000Z', one)),
		),
	);
	expect(trees.map(composeName)).toEqual(trees.map(tree => basename(tree)));
	expect(new Set(trees.map(composeName)).size).toBe(8);
});

test('a worktree that an earlier version made keeps its name', async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const folder = temporaryFolder();
	const {tree, gitDir} = await hubOf(root, folder);
	const old = join(folder, 'tree');
	renameSync(tree, old);
	expect(await hubOf(root, folder)).toEqual({tree: old, gitDir});
	mkdirSync(tree);
	expect(worktreePath(folder)).toBe(tree);
});

test('a kill at any step leaves something that the next call finishes', async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const leftovers: Readonly<Record<string, (folder: string) => void>> = {
		'nothing but an empty folder': folder => mkdirSync(join(folder, 'making')),
		'a hub half made': folder =>
			mkdirSync(join(folder, 'making/hub.git.making'), {recursive: true}),
		'a worktree half made': folder => {
			mkdirSync(join(folder, 'making'));
			renameSync(join(folder, 'hub.git'), join(folder, 'making/hub.git'));
			renameSync(worktreePath(folder), join(folder, 'making/tree'));
			rmSync(join(folder, 'making/tree/a.txt'));
		},
		'the hub moved and the worktree not': folder => {
			mkdirSync(join(folder, 'making'));
			renameSync(worktreePath(folder), join(folder, 'making/tree'));
		},
	};
	for (const [name, leave] of Object.entries(leftovers)) {
		const folder = temporaryFolder();
		if (name.includes('worktree')) {
			await hubOf(root, folder);
		}

		leave(folder);
		const {tree} = await hubOf(root, folder);
		expect(git(tree, 'status', '--porcelain=v1', '--branch'), name).toBe('## agent/AGT-001');
		expect(readdirSync(folder).toSorted(), name).toEqual(['hub.git', basename(tree)].toSorted());
	}
});

test('a worktree that was removed is not recreated behind anybody’s back', async () => {
	const root = makeRepository();
	const folder = temporaryFolder();
	const {tree} = await hubOf(root, folder);
	rmSync(tree, {recursive: true});
	await expect(hubOf(root, folder)).rejects.toMatchObject({kind: 'missing'});
});

test('a shallow clone has hubs, snapshots and a store', async () => {
	const origin = makeRepository({'a.txt': 'a\n'});
	write(origin, {'a.txt': 'b\n'});
	commitAll(origin);
	const root = join(temporaryFolder(), 'shallow');
	git(origin, 'clone', '--quiet', '--depth=1', `file://${origin}`, root);
	const world = await worldOf(root);
	expect(git(root, 'rev-parse', '--is-shallow-repository')).toBe('true');
	write(world.tree, {'a.txt': 'c\n'});
	const {commit, found} = await world.changed();
	expect(found).toMatchObject([{status: 'M', path: 'a.txt'}]);
	expect(git(world.tree, 'log', '--oneline').split('\n')).toHaveLength(1);
	git(root, 'fetch', '--quiet', '--unshallow');
	await openStore(world.store.gitDir, world.repository);
	expect(existsSync(join(world.store.gitDir, 'shallow'))).toBe(false);
	expect([...(await refsBelow(world.store, 'refs/delegate/s')).values()]).toEqual([commit]);
});

test('a sparse checkout’s missing files are not taken for deletions', async () => {
	const root = makeRepository({'in/a.txt': 'a\n', 'out/b.txt': 'b\n'});
	git(root, 'sparse-checkout', 'set', 'in');
	expect(existsSync(join(root, 'out'))).toBe(false);
	const world = await worldOf(root);
	write(world.tree, {'in/a.txt': 'changed\n'});
	expect((await world.changed()).found).toMatchObject([{status: 'M', path: 'in/a.txt'}]);
});

test('line endings that the person’s git converts are no changes', async () => {
	const root = makeRepository({'a.txt': 'a\nb\n'});
	git(root, 'config', 'core.autocrlf', 'true');
	const world = await worldOf(root);
	expect(readFileSync(join(world.tree, 'a.txt'), 'utf8')).toBe('a\r\nb\r\n');
	expect((await world.changed()).found).toEqual([]);
});

test('a commit of the store is checked out apart, and git works there', async () => {
	const world = await makeWorld({'a.txt': 'a\n'});
	write(world.tree, {'a.txt': 'b\n'});
	const {commit} = await world.snapshot();
	const folder = join(world.state, 'verify');
	const parts = {repository: world.repository, commit, folder};
	const {tree} = await checkoutTree(world.store, parts);
	expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('b\n');
	expect(git(tree, 'rev-parse', 'HEAD')).toBe(commit);
	const before = await refsBelow(world.store, 'refs');
	commitAll(tree, 'a check that commits');
	git(tree, 'branch', 'made-by-a-check');
	expect(await refsBelow(world.store, 'refs')).toEqual(before);
	expect(await checkoutTree(world.store, parts)).toMatchObject({tree});
	await removeCheckout(folder);
	await removeCheckout(folder);
	expect(existsSync(folder)).toBe(false);
});
