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
import {basename, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {leftoverText, sumText} from '../../../src/cli/doctor/leftovers/leftovers.ts';
import {commitTree} from '../../../src/git/store/store.ts';
import {later} from '../../../src/lib/text/duration.ts';
import {collect, missing} from '../../helpers/passing.ts';
import {
	commitAll,
	type Files,
	git,
	script,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';
import {endedAt, holds, makeAttic, objectFile} from './leftover-context.ts';

const id = 'DEL-20261121T190000000Z';

type Run = (...args: readonly string[]) => string;

/** A session whose agent has done something before its last snapshot was taken. */
const endedWith = async (
	work: (tree: string, run: Run) => void,
	files: Files = {'a.txt': 'a\n'},
) => {
	const context = await makeAttic(files);
	const session = await context.begin(id);
	work(session.tree, session.git);
	await session.end();
	return {...context, ...session};
};

/** A session whose agent has committed something, and gone on after that. */
const endedWithCommit = async (goOn: (run: Run) => void = () => {}) => {
	let commit = '';
	const context = await endedWith((tree, run) => {
		write(tree, {'a.txt': 'own'});
		commit = commitAll(tree);
		goOn(run);
	});
	return {...context, commit};
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
		const context = await endedWith((tree, run) => {
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
		expect(made.filter(oid => holds(context.store, oid))).toEqual([]);
		const [cleaned] = await context.clean();
		expect(cleaned?.failed).toBeUndefined();
		expect(cleaned?.leftover.verdict).toEqual({
			kind: 'safe',
			first: 'its own commits are pinned first',
		});
		expect([existsSync(context.tree), existsSync(context.hub)]).toEqual([false, false]);
		git(context.store.gitDir, 'gc', '--quiet', '--prune=now');
		expect(made).toHaveLength(8);
		expect(made.filter(oid => !holds(context.store, oid))).toEqual([]);
	});

	test('also when its git has packed it and forgotten the names', async () => {
		const context = await endedWithCommit(run => {
			run('repack', '-a', '-d', '-l', '--quiet');
			run('checkout', '--quiet', '--detach', 'HEAD~1');
			run('branch', '-D', 'agent/AGT-001');
			run('reflog', 'expire', '--all', '--expire=now');
		});
		expect(existsSync(objectFile(context.hub, context.commit))).toBe(false);
		expect((await context.clean())[0]?.failed).toBeUndefined();
		expect(await context.own()).toContain(context.commit);
	});

	test('without reading anything that the agent configured', async () => {
		const context = await endedWithCommit();
		writeFileSync(join(context.hub, 'config'), '[this is no configuration\n');
		rmSync(join(context.hub, 'refs'), {recursive: true});
		expect((await context.clean())[0]?.failed).toBeUndefined();
		expect(await context.own()).toContain(context.commit);
	});

	test('nor does a graph count in which no commit has a parent', async () => {
		const own: string[] = [];
		const context = await endedWith((tree, run) => {
			for (const text of ['first', 'second']) {
				write(tree, {'a.txt': text});
				own.push(commitAll(tree, text));
			}

			run('commit-graph', 'write', '--reachable');
		});
		orphanAll(join(context.hub, 'objects/info/commit-graph'));
		expect(git(context.hub, 'rev-list', '--count', own[1] ?? '')).toBe('1');
		expect((await context.clean())[0]?.failed).toBeUndefined();
		expect(await context.own()).toContain(own[1]);
		expect(own.filter(oid => !holds(context.store, oid))).toEqual([]);
	});

	test('and a hub with a damaged object is kept, the worktree as well', async () => {
		const {commit, ...context} = await endedWithCommit();
		rmSync(objectFile(context.hub, commit));
		writeFileSync(objectFile(context.hub, commit), 'damaged');
		expect((await context.clean())[0]?.failed).toContain('could not be read');
		expect([existsSync(context.tree), existsSync(context.hub)]).toEqual([true, true]);
	});

	test('a worktree in which no git was ever used goes without a word of its own', async () => {
		const context = await endedWith(tree => write(tree, {'a.txt': 'edited'}));
		expect((await context.clean())[0]?.failed).toBeUndefined();
		expect(existsSync(context.tree)).toBe(false);
		expect(await context.own()).toEqual([]);
	});
});

describe('a worktree is kept, and it is said why, when it holds', () => {
	test('the history of a repository that was made inside', async () => {
		const context = await endedWith((tree, run) => {
			run('init', '--quiet', 'deep/er');
			git(join(tree, 'deep/er'), 'commit', '--quiet', '--allow-empty', '--message', 'own');
		});
		expect(await whyKept(context)).toBe(
			'it holds deep/er/.git, a repository whose history is in no snapshot',
		);
		expect(await context.clean()).toEqual([]);
		rmSync(join(context.tree, 'deep'), {recursive: true});
		expect(await whyKept(context)).toBeUndefined();
	});

	test('such a repository where rules are tracked, or name only what is wanted', async () => {
		const rules = {'.gitignore': '*\n!*/\n!*.c\n!.gitignore\n', 'sub/.gitignore': 'made\n'};
		const context = await endedWith((_, run) => run('init', '--quiet', 'sub'), rules);
		expect(await whyKept(context)).toContain('it holds sub/.git, a repository');
		renameSync(join(context.tree, 'sub/.git'), join(context.tree, '.git-aside'));
		git(context.tree, 'init', '--quiet', 'other');
		git(context.tree, 'init', '--quiet', 'other/inner');
		expect(await whyKept(context)).toContain('it holds other/.git, a repository');
		rmSync(join(context.tree, 'other'), {recursive: true});
		expect(await whyKept(context)).toBeUndefined();
	});

	test('such a repository in the place of its own link to the hub', async () => {
		const context = await endedWith(tree => {
			rmSync(join(tree, '.git'));
			git(tree, 'init', '--quiet');
			commitAll(tree);
		});
		expect(await whyKept(context)).toContain('it holds .git, a repository');
	});

	test('files that only an ignore rule of the agent’s hides', async () => {
		const context = await endedWith(tree =>
			write(tree, {
				'.gitignore': 'secret*\n',
				'secret-1': 'work',
				'cache/.gitignore': '*\n',
				'cache/data': 'work',
			}),
		);
		expect(await whyKept(context)).toBe(
			'cache/.gitignore and 2 more is in no snapshot: an ignore rule added during the session hides it',
		);
	});

	test('whatever it holds, if it can’t be compared', async () => {
		const context = await endedWith(() => {});
		const [commit = ''] = git(
			context.store.gitDir,
			'for-each-ref',
			'--format=%(objectname)',
			'refs/delegate',
		).split('\n');
		rmSync(objectFile(context.store.gitDir, commit));
		expect(await whyKept(context)).toContain('be compared with its snapshots: git ');
	});

	test('files in what only looks like a repository, a submodule’s own repository, what git LFS keeps', async () => {
		const context = await endedWith(() => {});
		const whyFor = async (folder: string, file: string) => {
			write(folder, {[file]: 'work'});
			const why = await whyKept(context);
			rmSync(folder, {recursive: true});
			return why;
		};
		const odd = await whyFor(join(context.tree, 'odd'), '.git/work.txt');
		expect(odd).toContain('it holds odd/.git, a repository');
		expect(await whyFor(join(context.hub, 'worktrees/tree/modules'), 'part/HEAD')).toBe(
			'its git folder holds worktrees/tree/modules, which no snapshot can hold',
		);
		const large = await whyFor(join(context.hub, 'lfs'), 'objects/ab/cd/abcd');
		expect(large).toContain('its git folder holds lfs/objects');
		expect(await whyKept(context)).toBeUndefined();
	});
});

describe('a worktree may go when it holds besides only', () => {
	const files = {
		'a.txt': 'a\n',
		'.gitignore': '*.log\nnode_modules/\n',
		'sub/.gitignore': 'made\n',
	};

	test('what the person’s rules ignore, repositories among it', async () => {
		const context = await endedWith((tree, run) => {
			write(tree, {'x.log': 'log', 'node_modules/m/.gitignore': '*\n', 'sub/made': 'made'});
			run('init', '--quiet', 'node_modules/m');
		}, files);
		expect(await whyKept(context)).toBeUndefined();
	});

	test('what they ignore and the agent’s no longer do: that is in its snapshots', async () => {
		const context = await endedWith(tree => {
			rmSync(join(tree, '.gitignore'));
			write(tree, {'x.log': 'log', 'sub/.gitignore': '', 'sub/made': 'made'});
		}, files);
		expect(await whyKept(context)).toBeUndefined();
	});

	test('what its git folder’s own rules hide: they count for no snapshot', async () => {
		const context = await endedWith(tree => write(tree, {'hidden.txt': 'work'}));
		write(context.hub, {'info/exclude': 'hidden.txt\n'});
		expect(await whyKept(context)).toBeUndefined();
		write(context.tree, {'hidden-2.txt': 'work'});
		write(context.hub, {'info/exclude': 'hidden-2.txt\n'});
		expect(await whyKept(context)).toBe('it holds work that is in no snapshot');
	});

	test('a file or a link in place of a folder that had rules', async () => {
		const context = await endedWith(tree => {
			rmSync(join(tree, 'sub'), {recursive: true});
			write(tree, {sub: 'a file now'});
		}, files);
		expect(await whyKept(context)).toBeUndefined();
		rmSync(join(context.tree, 'sub'));
		symlinkSync('/', join(context.tree, 'sub'));
		expect(await whyKept(context)).toBe('it holds work that is in no snapshot');
	});
});

test('a file that its snapshot only borrowed, and that is gone, is written again from the worktree', async () => {
	const context = await endedWith(tree => write(tree, {'deep/own.txt': 'own\n'}));
	const oid = git(context.tree, 'hash-object', 'deep/own.txt');
	const file = objectFile(context.store.gitDir, oid);
	rmSync(file);
	expect(await whyKept(context)).toBeUndefined();
	expect(git(context.store.gitDir, 'cat-file', 'blob', oid)).toBe('own');
});

test('work is found although the index of its snapshots was told to pass over it', async () => {
	const context = await endedWith(tree => write(tree, {'b.txt': 'b'}));
	const index = join(context.path, 'index');
	write(context.tree, {'b.txt': 'work'});
	for (const flag of ['--skip-worktree', '--assume-unchanged']) {
		execFileSync('git', ['update-index', flag, 'b.txt'], {
			cwd: context.tree,
			env: {...process.env, GIT_INDEX_FILE: index},
		});
	}

	expect(await whyKept(context)).toBe('it holds work that is in no snapshot');
});

test('a worktree in which only what left the scope was put back since its last snapshot may go', async () => {
	const context = await makeAttic({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const session = await context.begin(id);
	write(session.tree, {'a.txt': 'work', 'b.txt': 'strayed', 'new.txt': 'strayed'});
	const {commit, tree} = await session.snapshot(1);
	await session.tell({
		...{kind: 'snapshot.taken', agent: 'AGT-001', number: 1, reason: 'test'},
		...{commit, tree, work: commit, files: 1, outside: [], claims: []},
	});
	await session.tell({kind: 'session.ended', status: 'COMPLETE', why: 'done'});
	write(session.tree, {'b.txt': 'b\n'});
	rmSync(join(session.tree, 'new.txt'));
	expect(await whyKept(context)).toBeUndefined();

	write(session.tree, {'b.txt': 'work'});
	expect(await whyKept(context)).toBe('it holds work that is in no snapshot');
});

test('what was there of a worktree that had to be recreated is looked at in the same way', async () => {
	const context = await endedWithCommit();
	const aside = join(context.path, 'replaced-abc');
	mkdirSync(aside);
	renameSync(context.hub, join(aside, 'hub.git'));
	rmSync(context.tree, {recursive: true});
	expect((await context.clean()).map(({failed}) => failed)).toEqual([undefined, undefined]);
	expect(await context.own()).toContain(context.commit);
	expect(existsSync(aside)).toBe(false);

	mkdirSync(aside);
	write(aside, {tree: 'a file stood in place of the worktree'});
	expect(await whyKept(context)).toBe('something else is in its place');
});

test('what a snapshot or an agent’s git only borrows is taken over before the worktree goes', async () => {
	let own = '';
	const context = await endedWith(tree => {
		write(tree, {'deep/own.txt': 'own\n'});
		own = commitAll(tree);
	});
	const {root} = context.repository;
	git(root, 'update-ref', `refs/delegate/${id}/base`, 'HEAD');
	// As if the person had had it all first.
	git(
		root,
		'fetch',
		'--quiet',
		context.store.gitDir,
		`refs/delegate/${id}/AGT-001/1:refs/heads/one`,
	);
	git(root, 'fetch', '--quiet', context.hub, `${own}:refs/heads/two`);
	git(context.store.gitDir, 'repack', '--quiet', '-a', '-d', '-l');
	git(context.store.gitDir, 'prune-packed');
	expect((await context.clean())[0]?.failed).toBeUndefined();
	expect(existsSync(context.tree)).toBe(false);
	git(root, 'branch', '--quiet', '-D', 'one', 'two');
	collect(root);
	const snapshot = git(context.store.gitDir, 'rev-parse', `refs/delegate/${id}/AGT-001/1^{tree}`);
	expect(missing(context.store.gitDir, snapshot, ...(await context.own()))).toEqual([]);
	expect(await context.own()).toContain(own);
});

test('snapshots are kept while a worktree of their session is, and that is said beforehand', async () => {
	const context = await endedWith(tree => write(tree, {'.gitignore': 'b.txt\n', 'b.txt': 'work'}));
	const kept = {kind: 'snapshots', verdict: {kind: 'kept', why: 'a worktree of it is kept'}};
	expect(await context.find(30)).toMatchObject([{kind: 'worktree'}, kept]);
	rmSync(join(context.tree, 'b.txt'));
	expect(await context.find(29)).toHaveLength(1);
	expect((await context.clean(30)).map(({failed}) => failed)).toEqual([undefined, undefined]);
	expect(await context.refs()).toEqual([]);
});

test('a session that rests finds all that its journal names after old snapshots were removed', async () => {
	const context = await endedWith(tree => write(tree, {'a.txt': 'old'}));
	const resting = await context.begin('DEL-20261221T190000000Z');
	write(resting.tree, {'a.txt': 'of the one that rests'});
	const {commit, tree} = await resting.snapshot(1);
	const parts = {parents: [`${commit}^`], message: 'work', at: endedAt};
	const named = await commitTree(context.store, {...parts, tree});
	const unnamed = await commitTree(context.store, {...parts, tree, at: later(endedAt, 5000)});
	await resting.tell({
		...{kind: 'snapshot.taken', agent: 'AGT-001', number: 1, reason: 'test'},
		...{commit, tree, work: named, files: 1, outside: [], claims: []},
	});
	// A year later everything is old enough to be collected.
	expect((await context.clean(365)).map(({failed}) => failed)).toEqual([undefined, undefined]);
	expect(holds(context.store, unnamed)).toBe(false);
	expect(holds(context.store, named)).toBe(true);
	expect(existsSync(resting.tree)).toBe(true);
});

test('what keeps journals from being read keeps garbage from being collected, and is told', async () => {
	const context = await endedWith(tree => write(tree, {'a.txt': 'old'}));
	const other = await context.begin('DEL-20261221T190000000Z');
	const {journal} = context.folder.session('DEL-20261221T190000000Z');
	rmSync(journal, {recursive: true});
	writeFileSync(journal, 'a file in place of the folder');
	expect((await context.clean(365)).map(({failed}) => failed)).toEqual([
		undefined,
		expect.stringContaining('their space could not be freed'),
	]);
	expect(existsSync(other.tree)).toBe(true);
});

test('a session without a journal names nothing, and keeps nothing from being collected', async () => {
	const context = await endedWith(tree => write(tree, {'a.txt': 'old'}));
	await context.begin('DEL-20261221T190000000Z');
	rmSync(context.folder.session('DEL-20261221T190000000Z').journal, {recursive: true});
	expect((await context.clean(365)).map(({failed}) => failed)).toEqual([undefined, undefined]);
});

test('size, age and what becomes of each are told, and a sum of all', async () => {
	const context = await endedWith(tree => write(tree, {'a.txt': 'x'.repeat(100_000)}));
	const found = await context.find(31);
	const lines = found.map(one => leftoverText(one, new Date(later(endedAt, 31 * 86_400_000))));
	expect(lines).toEqual([
		expect.stringMatching(
			/^worktree of AGT-001 in DEL-.* \(.*\/[^/]*-agt-001-[\da-f]{6}\), not merged, [\d.]+ KiB, ended 31 days ago: safe to remove; its own commits are pinned first$/,
		),
		expect.stringMatching(
			/^1 snapshot of DEL-\w+, with the unmerged work of AGT-001, .*iB, ended 31 days ago: safe to remove$/,
		),
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

test('a project of Docker Compose that was started in a worktree is named with the command that removes it, and goes by that', async () => {
	const {find, clean, folder, tree, begin} = await endedWith(() => {});
	const bin = temporaryFolder();
	const [log, printed] = [join(bin, 'log'), join(bin, 'printed')];
	const project = (name: string, file: string) => ({
		Name: name,
		Status: 'running(2)',
		ConfigFiles: file,
	});
	const own = basename(tree);
	const {tree: busy} = await begin('DEL-20261121T193000000Z');
	writeFileSync(
		printed,
		JSON.stringify([
			project(own, join(tree, 'compose.yml')),
			project('mine', '/home/me/shop/compose.yml'),
			project('elsewhere', join(folder.path, 'other/compose.yml')),
			project(basename(busy), join(busy, 'compose.yml')),
		]),
	);
	script(join(bin, 'docker'), `echo "$*" >> ${log}\ncase "$*" in *' ls '*) cat ${printed};; esac`);
	const before = process.env.PATH;
	process.env.PATH = `${bin}:${before}`;
	try {
		const found = (await find()).filter(({kind}) => kind === 'compose');
		expect(found.map(one => leftoverText(one, new Date(endedAt)))).toEqual([
			`Docker Compose project ${own}, running(2): safe to remove; by docker compose --project-name ${own} down --volumes --remove-orphans`,
		]);
		await clean();
	} finally {
		process.env.PATH = before;
	}

	expect(
		readFileSync(log, 'utf8')
			.split('\n')
			.filter(line => !line.includes(' ls ')),
	).toEqual([`compose --project-name ${own} down --volumes --remove-orphans`, '']);
});
