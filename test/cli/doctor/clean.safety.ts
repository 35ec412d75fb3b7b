import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {leftoverText, sumText} from '../../../src/cli/doctor/leftovers/leftover-text.ts';
import {commitTree} from '../../../src/git/store/store.ts';
import {later} from '../../../src/lib/time.ts';
import {collect, missing} from '../../helpers/passing.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';
import {endedAt, holds, makeAttic, objectFile} from './attic.ts';

const id = 'DEL-20261121T190000000Z';

/** A session whose agent has done something before its last snapshot was taken. */
const endedWith = async (
	work: (tree: string, run: (...args: readonly string[]) => string) => void,
	files: Files = {'a.txt': 'a\n'},
) => {
	const attic = await makeAttic(files);
	const session = await attic.begin(id);
	work(session.tree, session.git);
	await session.end();
	return {...attic, ...session};
};

/** Why the one worktree is kept. */
const whyKept = async ({find}: Pick<Awaited<ReturnType<typeof endedWith>>, 'find'>) => {
	const found = await find();
	expect(found.map(({kind}) => kind)).toEqual(['worktree']);
	const [leftover] = found;
	return leftover?.verdict.kind === 'kept' ? leftover.verdict.why : undefined;
};

/** Forges a commit-graph: its chunk of commits has rows of a tree's id, two parents and a date. */
const orphanAll = (path: string): void => {
	const graph = readFileSync(path);
	const start = Number(graph.readBigUInt64BE(graph.indexOf('CDAT') + 4));
	const end = Number(graph.readBigUInt64BE(graph.indexOf('CDAT') + 16));
	for (let row = start; row < end; row += 36) {
		graph.writeUInt32BE(0x70000000, row + 20);
	}

	chmodSync(path, 0o644);
	writeFileSync(path, graph);
};

describe('what an agent’s own git holds is pinned before its hub goes', () => {
	test('commits on its branches and on none, reset away ones, tags, every stash, what was only staged', async () => {
		const made: string[] = [];
		const attic = await endedWith((tree, run) => {
			const commit = (text: string) => {
				write(tree, {'a.txt': text});
				made.push(commitAll(tree, text));
			};
			commit('on its branch');
			commit('reset away');
			run('reset', '--quiet', '--hard', 'HEAD~1');
			run('checkout', '--quiet', '-b', 'other');
			commit('on another branch');
			run('checkout', '--quiet', '--detach');
			commit('on no branch');
			run('tag', '--annotate', '--message', 'a tag', 'own');
			made.push(run('rev-parse', 'own'));
			for (const text of ['stashed first', 'stashed second']) {
				write(tree, {'a.txt': text});
				run('stash', '--quiet');
			}

			made.push(run('rev-parse', 'stash@{0}'), run('rev-parse', 'stash@{1}'));
			write(tree, {'a.txt': 'staged and written over'});
			run('add', 'a.txt');
			made.push(run('rev-parse', ':a.txt'));
			run('checkout', '--quiet', '--force', 'HEAD', '--', 'a.txt');
		});
		expect(made.filter(oid => holds(attic.store, oid))).toEqual([]);
		const [cleaned] = await attic.clean();
		expect(cleaned?.failed).toBeUndefined();
		expect(cleaned?.leftover.verdict).toEqual({
			kind: 'safe',
			first: 'what its own git holds is pinned first',
		});
		expect([existsSync(attic.tree), existsSync(attic.hub)]).toEqual([false, false]);
		git(attic.store.gitDir, 'gc', '--quiet', '--prune=now');
		expect(made).toHaveLength(8);
		expect(made.filter(oid => !holds(attic.store, oid))).toEqual([]);
	});

	test('also when its git has packed it and forgotten the names', async () => {
		let own = '';
		const attic = await endedWith((tree, run) => {
			write(tree, {'a.txt': 'own'});
			own = commitAll(tree);
			run('repack', '-a', '-d', '-l', '--quiet');
			run('checkout', '--quiet', '--detach', 'HEAD~1');
			run('branch', '-D', 'agent/AGT-001');
			run('reflog', 'expire', '--all', '--expire=now');
		});
		expect(existsSync(objectFile(attic.hub, own))).toBe(false);
		expect((await attic.clean())[0]?.failed).toBeUndefined();
		expect(await attic.own()).toContain(own);
	});

	test('without reading anything that the agent configured', async () => {
		let own = '';
		const attic = await endedWith(tree => {
			write(tree, {'a.txt': 'own'});
			own = commitAll(tree);
		});
		writeFileSync(join(attic.hub, 'config'), '[this is no configuration\n');
		rmSync(join(attic.hub, 'refs'), {recursive: true});
		expect((await attic.clean())[0]?.failed).toBeUndefined();
		expect(await attic.own()).toContain(own);
	});

	test('nor does a graph count in which no commit has a parent', async () => {
		const own: string[] = [];
		const attic = await endedWith((tree, run) => {
			for (const text of ['first', 'second']) {
				write(tree, {'a.txt': text});
				own.push(commitAll(tree, text));
			}

			run('commit-graph', 'write', '--reachable');
		});
		orphanAll(join(attic.hub, 'objects/info/commit-graph'));
		expect(git(attic.hub, 'rev-list', '--count', own[1] ?? '')).toBe('1');
		expect((await attic.clean())[0]?.failed).toBeUndefined();
		expect(await attic.own()).toContain(own[1]);
		expect(own.filter(oid => !holds(attic.store, oid))).toEqual([]);
	});

	test('and a hub with a damaged object is kept, the worktree as well', async () => {
		let own = '';
		const attic = await endedWith(tree => {
			write(tree, {'a.txt': 'own'});
			own = commitAll(tree);
		});
		rmSync(objectFile(attic.hub, own));
		writeFileSync(objectFile(attic.hub, own), 'damaged');
		expect((await attic.clean())[0]?.failed).toContain('could not be read');
		expect([existsSync(attic.tree), existsSync(attic.hub)]).toEqual([true, true]);
	});

	test('a worktree in which no git was ever used goes without a word of its own', async () => {
		const attic = await endedWith(tree => write(tree, {'a.txt': 'edited'}));
		expect((await attic.clean())[0]?.failed).toBeUndefined();
		expect(existsSync(attic.tree)).toBe(false);
		expect(await attic.own()).toEqual([]);
	});
});

describe('a worktree is kept, and it is said why, when it holds', () => {
	test('the history of a repository that was made inside', async () => {
		const attic = await endedWith((tree, run) => {
			run('init', '--quiet', 'deep/er');
			git(join(tree, 'deep/er'), 'commit', '--quiet', '--allow-empty', '--message', 'own');
		});
		expect(await whyKept(attic)).toBe(
			'it holds deep/er/.git, a repository whose history is in no snapshot',
		);
		expect(await attic.clean()).toEqual([]);
		rmSync(join(attic.tree, 'deep'), {recursive: true});
		expect(await whyKept(attic)).toBeUndefined();
	});

	test('such a repository where rules are tracked, or name only what is wanted', async () => {
		const rules = {'.gitignore': '*\n!*/\n!*.c\n!.gitignore\n', 'sub/.gitignore': 'made\n'};
		const attic = await endedWith((_, run) => run('init', '--quiet', 'sub'), rules);
		expect(await whyKept(attic)).toContain('it holds sub/.git, a repository');
		renameSync(join(attic.tree, 'sub/.git'), join(attic.tree, '.git-aside'));
		git(attic.tree, 'init', '--quiet', 'other');
		git(attic.tree, 'init', '--quiet', 'other/inner');
		expect(await whyKept(attic)).toContain('it holds other/.git, a repository');
		rmSync(join(attic.tree, 'other'), {recursive: true});
		expect(await whyKept(attic)).toBeUndefined();
	});

	test('such a repository in the place of its own link to the hub', async () => {
		const attic = await endedWith(tree => {
			rmSync(join(tree, '.git'));
			git(tree, 'init', '--quiet');
			commitAll(tree);
		});
		expect(await whyKept(attic)).toContain('it holds .git, a repository');
	});

	test('files in something that only looks like a repository', async () => {
		const attic = await endedWith(tree => write(tree, {'odd/.git/work.txt': 'work'}));
		expect(await whyKept(attic)).toContain('it holds odd/.git, a repository');
	});

	test('files that only an ignore rule of the agent’s hides', async () => {
		const attic = await endedWith(tree =>
			write(tree, {
				'.gitignore': 'secret*\n',
				'secret-1': 'work',
				'cache/.gitignore': '*\n',
				'cache/data': 'work',
			}),
		);
		expect(await whyKept(attic)).toBe(
			'it holds cache/.gitignore and 2 more, kept out of snapshots only by an ignore rule made since its start',
		);
	});

	test('whatever it holds, if it can’t be compared', async () => {
		const attic = await endedWith(() => {});
		const [commit = ''] = git(
			attic.store.gitDir,
			'for-each-ref',
			'--format=%(objectname)',
			'refs/delegate',
		).split('\n');
		rmSync(objectFile(attic.store.gitDir, commit));
		expect(await whyKept(attic)).toContain('be compared with its snapshots: git ');
	});

	test('submodules whose repositories lie in its git folder', async () => {
		const attic = await endedWith(() => {});
		mkdirSync(join(attic.hub, 'worktrees/tree/modules/part'), {recursive: true});
		expect(await whyKept(attic)).toBe(
			'its git folder holds worktrees/tree/modules, which no snapshot can hold',
		);
	});

	test('content that git LFS keeps', async () => {
		const attic = await endedWith(() => {});
		write(attic.hub, {'lfs/objects/ab/cd/abcd': 'large'});
		expect(await whyKept(attic)).toContain('its git folder holds lfs/objects');
	});
});

describe('a worktree may go when it holds besides only', () => {
	const files = {
		'a.txt': 'a\n',
		'.gitignore': '*.log\nnode_modules/\n',
		'sub/.gitignore': 'made\n',
	};

	test('what the person’s rules ignore, repositories among it', async () => {
		const attic = await endedWith((tree, run) => {
			write(tree, {'x.log': 'log', 'node_modules/m/.gitignore': '*\n', 'sub/made': 'made'});
			run('init', '--quiet', 'node_modules/m');
		}, files);
		expect(await whyKept(attic)).toBeUndefined();
	});

	test('what they ignore and the agent’s no longer do: that is in its snapshots', async () => {
		const attic = await endedWith(tree => {
			rmSync(join(tree, '.gitignore'));
			write(tree, {'x.log': 'log', 'sub/.gitignore': '', 'sub/made': 'made'});
		}, files);
		expect(await whyKept(attic)).toBeUndefined();
	});

	test('what its git folder’s own rules hide: they count for no snapshot', async () => {
		const attic = await endedWith(tree => write(tree, {'hidden.txt': 'work'}));
		write(attic.hub, {'info/exclude': 'hidden.txt\n'});
		expect(await whyKept(attic)).toBeUndefined();
		write(attic.tree, {'hidden-2.txt': 'work'});
		write(attic.hub, {'info/exclude': 'hidden-2.txt\n'});
		expect(await whyKept(attic)).toBe('it holds work that is in no snapshot');
	});

	test('a file or a link in place of a folder that had rules', async () => {
		const attic = await endedWith(tree => {
			rmSync(join(tree, 'sub'), {recursive: true});
			write(tree, {sub: 'a file now'});
		}, files);
		expect(await whyKept(attic)).toBeUndefined();
		rmSync(join(attic.tree, 'sub'));
		symlinkSync('/', join(attic.tree, 'sub'));
		expect(await whyKept(attic)).toBe('it holds work that is in no snapshot');
	});
});

test('a file that its snapshot only borrowed, and that is gone, is written again from the worktree', async () => {
	const attic = await endedWith(tree => write(tree, {'deep/own.txt': 'own\n'}));
	const oid = git(attic.tree, 'hash-object', 'deep/own.txt');
	const file = objectFile(attic.store.gitDir, oid);
	rmSync(file);
	expect(await whyKept(attic)).toBeUndefined();
	expect(git(attic.store.gitDir, 'cat-file', 'blob', oid)).toBe('own');
});

test('work is found although the index of its snapshots was told to pass over it', async () => {
	const attic = await endedWith(tree => write(tree, {'b.txt': 'b'}));
	const index = join(attic.path, 'index');
	write(attic.tree, {'b.txt': 'work'});
	for (const flag of ['--skip-worktree', '--assume-unchanged']) {
		execFileSync('git', ['update-index', flag, 'b.txt'], {
			cwd: attic.tree,
			env: {...process.env, GIT_INDEX_FILE: index},
		});
	}

	expect(await whyKept(attic)).toBe('it holds work that is in no snapshot');
});

test('a worktree in which only what left the scope was put back since its last snapshot may go', async () => {
	const attic = await makeAttic({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const session = await attic.begin(id);
	write(session.tree, {'a.txt': 'work', 'b.txt': 'strayed', 'new.txt': 'strayed'});
	const {commit, tree} = await session.snapshot(1);
	await session.tell({
		...{kind: 'snapshot.taken', agent: 'AGT-001', number: 1, reason: 'test'},
		...{commit, tree, work: commit, files: 1, outside: [], claims: []},
	});
	await session.tell({kind: 'session.ended', status: 'COMPLETE', why: 'done'});
	write(session.tree, {'b.txt': 'b\n'});
	rmSync(join(session.tree, 'new.txt'));
	expect(await whyKept(attic)).toBeUndefined();

	write(session.tree, {'b.txt': 'work'});
	expect(await whyKept(attic)).toBe('it holds work that is in no snapshot');
});

test('what was there of a worktree that had to be recreated is looked at in the same way', async () => {
	let own = '';
	const attic = await endedWith(tree => {
		write(tree, {'a.txt': 'own'});
		own = commitAll(tree);
	});
	const aside = join(attic.path, 'replaced-abc');
	mkdirSync(aside);
	renameSync(attic.hub, join(aside, 'hub.git'));
	rmSync(attic.tree, {recursive: true});
	expect((await attic.clean()).map(({failed}) => failed)).toEqual([undefined, undefined]);
	expect(await attic.own()).toContain(own);
	expect(existsSync(aside)).toBe(false);

	mkdirSync(aside);
	write(aside, {tree: 'a file stood in place of the worktree'});
	expect(await whyKept(attic)).toBe('something else is in its place');
});

test('what a snapshot or an agent’s git only borrows is taken over before the worktree goes', async () => {
	let own = '';
	const attic = await endedWith(tree => {
		write(tree, {'deep/own.txt': 'own\n'});
		own = commitAll(tree);
	});
	const {root} = attic.repository;
	git(root, 'update-ref', `refs/delegate/${id}/base`, 'HEAD');
	// As if the person had had it all first.
	git(root, 'fetch', '--quiet', attic.store.gitDir, `refs/delegate/${id}/AGT-001/1:refs/heads/one`);
	git(root, 'fetch', '--quiet', attic.hub, `${own}:refs/heads/two`);
	git(attic.store.gitDir, 'repack', '--quiet', '-a', '-d', '-l');
	git(attic.store.gitDir, 'prune-packed');
	expect((await attic.clean())[0]?.failed).toBeUndefined();
	expect(existsSync(attic.tree)).toBe(false);
	git(root, 'branch', '--quiet', '-D', 'one', 'two');
	collect(root);
	const snapshot = git(attic.store.gitDir, 'rev-parse', `refs/delegate/${id}/AGT-001/1^{tree}`);
	expect(missing(attic.store.gitDir, snapshot, ...(await attic.own()))).toEqual([]);
	expect(await attic.own()).toContain(own);
});

test('snapshots are kept while a worktree of their session is, and that is said beforehand', async () => {
	const attic = await endedWith(tree => write(tree, {'.gitignore': 'b.txt\n', 'b.txt': 'work'}));
	const kept = {kind: 'snapshots', verdict: {kind: 'kept', why: 'a worktree of it is kept'}};
	expect(await attic.find(30)).toMatchObject([{kind: 'worktree'}, kept]);
	rmSync(join(attic.tree, 'b.txt'));
	expect(await attic.find(29)).toHaveLength(1);
	expect((await attic.clean(30)).map(({failed}) => failed)).toEqual([undefined, undefined]);
	expect(await attic.refs()).toEqual([]);
});

test('a session that rests finds all that its journal names after old snapshots were removed', async () => {
	const attic = await endedWith(tree => write(tree, {'a.txt': 'old'}));
	const resting = await attic.begin('DEL-20261221T190000000Z');
	write(resting.tree, {'a.txt': 'of the one that rests'});
	const {commit, tree} = await resting.snapshot(1);
	const parts = {parents: [`${commit}^`], message: 'work', at: endedAt};
	const named = await commitTree(attic.store, {...parts, tree});
	const unnamed = await commitTree(attic.store, {...parts, tree, at: later(endedAt, 5000)});
	await resting.tell({
		...{kind: 'snapshot.taken', agent: 'AGT-001', number: 1, reason: 'test'},
		...{commit, tree, work: named, files: 1, outside: [], claims: []},
	});
	// A year later everything is old enough to be collected.
	expect((await attic.clean(365)).map(({failed}) => failed)).toEqual([undefined, undefined]);
	expect(holds(attic.store, unnamed)).toBe(false);
	expect(holds(attic.store, named)).toBe(true);
	expect(existsSync(resting.tree)).toBe(true);
});

test('what keeps journals from being read keeps garbage from being collected, and is told', async () => {
	const attic = await endedWith(tree => write(tree, {'a.txt': 'old'}));
	const other = await attic.begin('DEL-20261221T190000000Z');
	const {journal} = attic.folder.session('DEL-20261221T190000000Z');
	rmSync(journal, {recursive: true});
	writeFileSync(journal, 'a file in place of the folder');
	expect((await attic.clean(365)).map(({failed}) => failed)).toEqual([
		undefined,
		expect.stringContaining('their space could not be given back'),
	]);
	expect(existsSync(other.tree)).toBe(true);
});

test('a session without a journal names nothing, and keeps nothing from being collected', async () => {
	const attic = await endedWith(tree => write(tree, {'a.txt': 'old'}));
	await attic.begin('DEL-20261221T190000000Z');
	rmSync(attic.folder.session('DEL-20261221T190000000Z').journal, {recursive: true});
	expect((await attic.clean(365)).map(({failed}) => failed)).toEqual([undefined, undefined]);
});

test('size, age and what becomes of each are told, and a sum of all', async () => {
	const attic = await endedWith(tree => write(tree, {'a.txt': 'x'.repeat(100_000)}));
	const found = await attic.find(31);
	const lines = found.map(one => leftoverText(one, new Date(later(endedAt, 31 * 86_400_000))));
	expect(lines).toEqual([
		expect.stringMatching(
			/^worktree of AGT-001 in DEL-.* \(.*\/tree\), [\d.]+ KiB, ended 31 days ago: safe to remove; what its own git holds is pinned first$/,
		),
		expect.stringMatching(/^1 snapshot of DEL-.*, .*iB, ended 31 days ago: safe to remove$/),
	]);
	expect(found[1]?.bytes).toBeGreaterThan(100);
	const [worktree] = found;
	const after = (days: number) =>
		worktree && leftoverText(worktree, new Date(later(endedAt, days * 86_400_000)));
	expect([after(0.9), after(1.9)]).toEqual([
		expect.stringContaining(', ended today: safe'),
		expect.stringContaining(', ended yesterday: safe'),
	]);
	expect(sumText(found)).toMatch(/^2 \([\d.]+ KiB\) safe to remove, 0 kept$/);
});
