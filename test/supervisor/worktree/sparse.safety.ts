import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lastSnapshot} from '../../../src/state/agent/agent.ts';
import {restore} from '../../../src/supervisor/perform/restore.ts';
import {rework} from '../../../src/supervisor/perform/rework.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {rebuildIfGone} from '../../../src/supervisor/worktree/rebuild.ts';
import {subtask} from '../../helpers/plan.ts';
import {commitAll, filesBelow, git, write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

const files = {
	'root.txt': 'root\n',
	'apps/readme.txt': 'apps\n',
	'apps/shop/a.txt': 'a\n',
	'apps/shop/lib/b.txt': 'b\n',
	'apps/shopping/c.txt': 'c\n',
	'apps/bank/deep/d.txt': 'd\n',
	'libs/e.txt': 'e\n',
};

/** An agent whose worktree holds one app of several. */
const makeSparse = () =>
	makeAtWork(files, {
		agents: ['AGT-001', 'AGT-002'].map(id =>
			subtask(id, {
				scope: {allowed: ['apps/shop/**'], forbidden: []},
				checkout: ['apps/shop'],
			}),
		),
	});

type Sparse = Awaited<ReturnType<typeof makeSparse>>;

const take = async ({world, agent, believe}: Sparse) => {
	believe(...(await capture(world, agent(), 'a test')));
	const taken = lastSnapshot(agent());
	const base = agent().workspace.phase === 'ready' ? agent().workspace : undefined;
	return {taken, base};
};

const workOf = async (sparse: Sparse): Promise<string> => {
	const {taken, base} = await take(sparse);
	const {gitDir} = sparse.world.store;
	const from = base !== undefined && 'base' in base ? base.base : '';
	return git(gitDir, 'diff-tree', '-r', '--name-status', from, taken?.work ?? '').replaceAll(
		'\t',
		' ',
	);
};

const there = (tree: string): readonly string[] =>
	Object.keys(filesBelow(tree)).filter(path => !/^\.(?:git|delegate)(?:\/|$)/.test(path));

test('an agent has the folders of its checkout with the files above them, and deletes only what it has', async () => {
	const sparse = await makeSparse();
	const {tree} = sparse;
	expect(there(tree)).toEqual(
		['root.txt', 'apps/readme.txt', 'apps/shop/a.txt', 'apps/shop/lib/b.txt'].toSorted(),
	);
	expect(git(tree, 'status', '--porcelain', '--untracked-files=no')).toBe('');
	write(tree, {'apps/shop/a.txt': 'changed\n', 'apps/shop/new.txt': 'new\n'});
	rmSync(join(tree, 'apps/shop/lib'), {recursive: true});
	const work = 'M apps/shop/a.txt\nD apps/shop/lib/b.txt\nA apps/shop/new.txt';
	expect(await workOf(sparse)).toBe(work);
	// As after a restart of the supervisor, which knows the index no more.
	rmSync(sparse.world.folder.agent('AGT-001').index);
	expect(await workOf(sparse)).toBe(work);
});

test('what it writes outside is reverted, also over a file that it was not given', async () => {
	const sparse = await makeSparse();
	const {tree, told} = sparse;
	write(tree, {'libs/e.txt': 'out\n', 'libs/new.txt': 'out\n', 'apps/shop/a.txt': 'changed\n'});
	expect(await workOf(sparse)).toBe('M apps/shop/a.txt');
	expect(told.flatMap(body => (body.kind === 'scope.left' ? body.path : []))).toEqual([
		'libs/e.txt',
		'libs/new.txt',
	]);
	expect(readFileSync(join(tree, 'libs/e.txt'), 'utf8')).toBe('e\n');
	expect(existsSync(join(tree, 'libs/new.txt'))).toBe(false);
	rmSync(join(tree, 'libs'), {recursive: true});
	expect(await workOf(sparse)).toBe('M apps/shop/a.txt');
});

test('others’ work comes under its own, also where it has no files of it', async () => {
	const sparse = await makeSparse();
	const {world, agent, believe, state, tree} = sparse;
	write(tree, {'apps/shop/a.txt': 'own\n'});
	await take(sparse);
	const {root} = world.repository;
	git(root, 'checkout', '--quiet', '--detach');
	write(root, {'libs/e.txt': 'other\n', 'libs/f.txt': 'f\n', 'apps/shop/lib/b.txt': 'other\n'});
	rmSync(join(root, 'apps/bank'), {recursive: true});
	const commit = commitAll(root);
	const given = {
		...state(),
		agents: state().agents.map(one =>
			one.id === 'AGT-001'
				? one
				: {
						...one,
						workspace: agent().workspace,
						snapshots: agent().snapshots.map(each => ({...each, work: commit})),
					},
		),
	};
	const before = sparse.told.length;
	await rework(world, given, agent(), ['AGT-002']);
	believe(...sparse.told.slice(before));
	expect(readFileSync(join(tree, 'apps/shop/lib/b.txt'), 'utf8')).toBe('other\n');
	expect(await workOf(sparse)).toBe('M apps/shop/a.txt');
	const {taken} = await take(sparse);
	expect(git(world.store.gitDir, 'show', `${taken?.work}:libs/e.txt`)).toBe('other');
});

test('a snapshot is restored, and a worktree that is gone is made anew as sparse as it was', async () => {
	const sparse = await makeSparse();
	const {world, state, agent, believe, tree, told} = sparse;
	write(tree, {'apps/shop/a.txt': 'first\n'});
	await take(sparse);
	write(tree, {'apps/shop/a.txt': 'second\n', 'apps/shop/new.txt': 'new\n'});
	await take(sparse);
	const restored = told.length;
	await restore(world, state(), agent(), 1);
	believe(...told.slice(restored));
	expect(readFileSync(join(tree, 'apps/shop/a.txt'), 'utf8')).toBe('first\n');
	rmSync(tree, {recursive: true});
	const rebuilt = told.length;
	await rebuildIfGone(world, state(), agent());
	believe(...told.slice(rebuilt));
	expect(there(tree)).toEqual(
		['root.txt', 'apps/readme.txt', 'apps/shop/a.txt', 'apps/shop/lib/b.txt'].toSorted(),
	);
	expect(readFileSync(join(tree, 'apps/shop/a.txt'), 'utf8')).toBe('first\n');
	expect(await workOf(sparse)).toBe('M apps/shop/a.txt');
});
