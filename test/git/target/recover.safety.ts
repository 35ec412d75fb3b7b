import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	existsSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {bringObjects} from '../../../src/git/store/store.ts';
import {beginMove, readBegunMove} from '../../../src/git/target/begun-move.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {movesOf} from '../../helpers/moves.ts';
import {type Files, git, script, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const base: Files = {
	'a.txt': 'old a\n'.repeat(100),
	'b.txt': 'old b\n'.repeat(100),
	'gone.txt': 'gone\n',
	'folder/inner.txt': 'inner\n',
	'run.sh': '#!/bin/sh\n',
	'kept.txt': 'kept\n',
};

const work = (tree: string): void => {
	write(tree, {
		'a.txt': 'new a\n'.repeat(100),
		'b.txt': 'new b\n'.repeat(100),
		'new/file.txt': 'new file\n'.repeat(100),
	});
	rmSync(join(tree, 'gone.txt'));
	rmSync(join(tree, 'folder'), {recursive: true});
	write(tree, {folder: 'a file in the place of a folder\n'});
	chmodSync(join(tree, 'run.sh'), 0o755);
	symlinkSync('new/file.txt', join(tree, 'link'));
};

/** A merge whose publication was begun, and what the next supervisor does about it. */
const interruptedMove = async (files: Files = base, change: (tree: string) => void = work) => {
	const world = await makeWorld(files);
	change(world.tree);
	const {root, repository, store, base: from} = world;
	const to = await world.commitWork();
	await bringObjects(repository, store, to);
	const moves = movesOf(world, from, to);
	await moves.begin();
	return {...world, ...moves, from, to, recover: moves.merge, before: pictureOf(root)};
};

/** Puts a file of a commit into the checkout without a word to the index, as git does at first. */
const bring = (root: string, commit: string, path: string): void => {
	const mode = git(root, 'ls-tree', commit, '--', path).slice(0, 6);
	const content = execFileSync('git', ['cat-file', 'blob', `${commit}:${path}`], {cwd: root});
	rmSync(join(root, path), {force: true});
	if (mode === '120000') {
		symlinkSync(content.toString(), join(root, path));
		return;
	}

	write(root, {[path]: content});
	chmodSync(join(root, path), mode === '100755' ? 0o755 : 0o644);
};

const moveFiles = (root: string, to: string): string =>
	git(root, 'read-tree', '-m', '-u', 'HEAD', to);

/** Each thing that a git may have come to before the branch, on its way there or back. */
const stages: Readonly<Record<string, (root: string, to: string) => void>> = {
	'nothing but its lock': () => {},
	'a file that was removed': root => rmSync(join(root, 'gone.txt')),
	'a file that was taken away to be written again': root => rmSync(join(root, 'a.txt')),
	'a file that is empty yet': root => truncateSync(join(root, 'a.txt'), 0),
	'a file that was written half': (root, to) => {
		bring(root, to, 'a.txt');
		truncateSync(join(root, 'a.txt'), 50);
	},
	'a new file that was written half': (root, to) => {
		bring(root, to, 'new/file.txt');
		truncateSync(join(root, 'new/file.txt'), 9);
	},
	'some files, a mode and a link': (root, to) => {
		for (const path of ['b.txt', 'run.sh', 'link', 'new/file.txt']) {
			bring(root, to, path);
		}
	},
	'a file in the place of a folder': (root, to) => {
		rmSync(join(root, 'folder'), {recursive: true});
		bring(root, to, 'folder');
	},
	'all files': (root, to) => {
		rmSync(join(root, 'gone.txt'));
		rmSync(join(root, 'folder'), {recursive: true});
		for (const path of ['a.txt', 'b.txt', 'run.sh', 'link', 'new/file.txt', 'folder']) {
			bring(root, to, path);
		}
	},
	'all but the branch': moveFiles,
	'a single file on the way back': (root, to) => {
		moveFiles(root, to);
		write(root, {'a.txt': 'old a\n'.repeat(10)});
	},
};

/** Sets all back to the commit, as a person does who gives their edits up. */
const undoAll = (root: string): void => {
	git(root, 'reset', '--quiet', '--hard');
	git(root, 'clean', '--quiet', '-d', '--force');
};

const lock = (root: string, name: string, content = ''): void =>
	writeFileSync(join(root, '.git', name), content);

test('whatever git left of a publication goes back, and it can be tried again', async () => {
	const {root, to, begin, hold, clear, recover} = await interruptedMove();
	write(root, {'kept.txt': 'my edit\n', 'untracked.txt': 'mine\n'});
	const before = pictureOf(root);
	for (const [left, stage] of Object.entries(stages)) {
		await begin();
		stage(root, to);
		await hold();
		for (const time of ['once', 'twice']) {
			expect([left, time, await clear()]).toEqual([left, time, undefined]);
			expect(pictureOf(root), `${left}, ${time}`).toBe(before);
		}
	}

	await begin();
	stages['all files']?.(root, to);
	await hold();
	expect(await recover()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'HEAD')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe(' M kept.txt\n?? untracked.txt');
	expect(existsSync(join(root, '.git/index.lock'))).toBe(false);
});

test('a publication is finished when only the branch was left to move', async () => {
	const {root, from, to, hold, recover} = await interruptedMove();
	git(root, 'read-tree', '-m', '-u', from, to);
	await hold();
	lock(root, 'HEAD.lock');
	lock(root, 'refs/heads/main.lock', `${to}\n`);
	expect(await recover()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'HEAD')).toBe(to);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('what a cut-off publication has staged is taken back before another result is published', async () => {
	const world = await interruptedMove();
	const {root, tree, from, to} = world;
	write(tree, {'a.txt': 'another a\n'});
	const other = await world.commitWork();
	git(root, 'read-tree', '-m', '-u', from, to);
	write(root, {'kept.txt': 'my edit\n', 'untracked.txt': 'mine\n'});
	const {merge: move} = movesOf(world, from, other);
	write(root, {'b.txt': 'edited since\n'});
	const found = pictureOf(root);
	expect(await move()).toMatchObject({moved: false, cause: 'interrupted'});
	expect(pictureOf(root)).toBe(found);

	write(root, {'b.txt': 'new b\n'.repeat(100)});
	expect(await move()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'HEAD')).toBe(other);
	expect(git(root, 'status', '--porcelain')).toBe(' M kept.txt\n?? untracked.txt');
});

test('a lock that git left when it was through is removed', async () => {
	const {root, to, recover} = await interruptedMove();
	git(root, 'merge', '--quiet', '--ff-only', to);
	lock(root, 'HEAD.lock');
	// Git writes the line break by itself.
	lock(root, 'refs/heads/main.lock', to);
	expect(await recover()).toEqual({moved: true});
	expect(JSON.parse(pictureOf(root)).locks).toEqual([]);
});

test('an undo that was cut off is finished', async () => {
	const world = await interruptedMove();
	const {root, from, to, before, recover, undo} = world;
	expect(await recover()).toEqual({moved: true});
	const {begin, hold} = movesOf(world, to, from);
	await begin();
	bring(root, from, 'a.txt');
	truncateSync(join(root, 'a.txt'), 7);
	rmSync(join(root, 'link'));
	await hold();
	expect(await undo()).toEqual({moved: true});
	expect(pictureOf(root)).toBe(before);
});

test('a file that is neither as before nor as after is told, and nothing is touched', async () => {
	const {root, to, hold, recover} = await interruptedMove();
	bring(root, to, 'b.txt');
	write(root, {'a.txt': 'mine\n'});
	const found = pictureOf(root);
	await hold();
	expect(await recover()).toMatchObject({
		moved: false,
		cause: 'interrupted',
		message: expect.stringContaining('was cut off in the middle'),
		paths: ['a.txt'],
	});
	expect(pictureOf(root)).toBe(found);
	git(root, 'checkout', '--quiet', '--', 'a.txt');
	expect(await recover()).toEqual({moved: true});
});

test('what a person staged, or put behind a link, since then is told, and nothing is touched', async () => {
	const {root, to, recover} = await interruptedMove();
	for (const [paths, person] of [
		[
			['a.txt'],
			(root: string) => {
				write(root, {'a.txt': 'mine\n'});
				git(root, 'add', 'a.txt');
			},
		],
		[
			['folder'],
			(root: string) => {
				rmSync(join(root, 'folder'), {recursive: true});
				symlinkSync('..', join(root, 'folder'));
			},
		],
		[['new/file.txt'], (root: string) => write(root, {'new/file.txt': 'mine\n'})],
		[['new/file.txt'], (root: string) => symlinkSync('..', join(root, 'new'))],
		[['gone.txt'], (root: string) => write(root, {'gone.txt/mine.txt': 'mine\n'})],
	] as const) {
		bring(root, to, 'b.txt');
		rmSync(join(root, 'gone.txt'));
		person(root);
		const found = pictureOf(root);
		const outcome = await recover();
		expect(outcome.moved ? [] : outcome.paths).toEqual(expect.arrayContaining([...paths]));
		expect(pictureOf(root)).toBe(found);
		undoAll(root);
	}
});

test('what a person put into a folder that a cut-off move made is told, and stays', async () => {
	const {root, to, recover} = await interruptedMove({'tool.txt': 'a file\n'}, tree => {
		rmSync(join(tree, 'tool.txt'));
		write(tree, {'tool.txt/a/new.txt': 'in a folder of its name\n'});
	});
	rmSync(join(root, 'tool.txt'));
	bring(root, to, 'tool.txt/a/new.txt');
	write(root, {'tool.txt/a/mine.txt': 'mine\n'});
	const found = pictureOf(root);
	expect(await recover()).toMatchObject({moved: false, paths: ['tool.txt']});
	expect(pictureOf(root)).toBe(found);
	rmSync(join(root, 'tool.txt/a/mine.txt'));
	expect(await recover()).toEqual({moved: true});
});

test('a move goes back, too, where the clock of the file system is behind ours', async () => {
	vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 60_000});
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const {root, to, recover} = await interruptedMove();
	bring(root, to, 'b.txt');
	expect(await recover()).toEqual({moved: true});
});

test('what was so before the move began is the person’s, however much it looks like half of it', async () => {
	const {root, begin, recover} = await interruptedMove();
	for (const [cause, paths, person] of [
		['dirty-checkout', ['a.txt'], (root: string) => truncateSync(join(root, 'a.txt'), 12)],
		['dirty-checkout', ['gone.txt'], (root: string) => rmSync(join(root, 'gone.txt'))],
		['untracked-files', ['new/file.txt'], (root: string) => write(root, {'new/file.txt': 'new '})],
	] as const) {
		person(root);
		const found = pictureOf(root);
		await begin(new Date(Date.now() + 60_000));
		expect(await recover()).toMatchObject({moved: false, cause, paths});
		expect(pictureOf(root)).toBe(found);
		undoAll(root);
	}
});

test('a lock of the index that is not ours is told, and nothing is touched', async () => {
	const {root, to, recover} = await interruptedMove();
	bring(root, to, 'b.txt');
	lock(root, 'index.lock');
	const found = pictureOf(root);
	expect(await recover()).toMatchObject({moved: false, cause: 'locked'});
	expect(pictureOf(root)).toBe(found);
	rmSync(join(root, '.git/index.lock'));
	expect(await recover()).toEqual({moved: true});
});

test('a lock of the branch from before, or with something else in it, is told and left', async () => {
	const {root, to, begin, recover, before} = await interruptedMove();
	for (const [content, ageMs] of [
		['', 60_000],
		[`${'0'.repeat(40)}\n`, 0],
	] as const) {
		await begin();
		bring(root, to, 'b.txt');
		lock(root, 'refs/heads/main.lock', content);
		const time = new Date(Date.now() - ageMs);
		utimesSync(join(root, '.git/refs/heads/main.lock'), time, time);
		expect(await recover()).toMatchObject({moved: false, cause: 'locked'});
		rmSync(join(root, '.git/refs/heads/main.lock'));
		expect(pictureOf(root)).toBe(before);
	}
});

/** Starts a git that waits for its input, and returns a way to end it. */
const idleGit = async (cwd: string, ...args: readonly string[]) => {
	const child = spawn('git', [...args], {cwd, stdio: ['pipe', 'ignore', 'ignore']});
	onTestFinished(() => void child.kill());
	await once(child, 'spawn');
	return async () => {
		child.stdin.end();
		await once(child, 'close');
	};
};

/** A git that waits for a program that hangs, and a way to end both. */
const hangingGit = async (cwd: string, about: string) => {
	const words = ['-c', 'alias.hang=!sleep 1000;:', 'hang', about];
	const child = spawn('git', words, {cwd, stdio: 'ignore', detached: true});
	const kill = () => void (child.signalCode ?? process.kill(-(child.pid ?? 0)));
	onTestFinished(kill);
	await once(child, 'spawn');
	return async () => {
		kill();
		await once(child, 'close');
	};
};

/** Gits that may hold a lock, or be one that was ours, and how each is told. */
const atWork: readonly (readonly [RegExp, (root: string, to: string) => Promise<End>])[] = [
	[/process \d+: git cat-file/, root => idleGit(root, 'cat-file', '--batch')],
	[
		/process \d+: git --git-dir/,
		root => idleGit('/', `--git-dir=${root}/.git`, 'cat-file', '--batch'),
	],
	[/process \d+: git hang .*, which waits for "sleep 1000"\)\.$/, hangingGit],
];

type End = () => Promise<void>;

test('a lock is left while any git is at work that could hold it, also from elsewhere, and it is told', async () => {
	// Each of them is given its time to end, so they are tried side by side.
	await Promise.all(
		atWork.map(async ([told, start]) => {
			const {root, to, recover} = await interruptedMove();
			const end = await start(root, to);
			lock(root, 'refs/heads/main.lock');
			expect(await recover()).toMatchObject({
				cause: 'locked',
				message: expect.stringMatching(told),
			});
			expect(existsSync(join(root, '.git/refs/heads/main.lock'))).toBe(true);
			await end();
			expect(await recover()).toEqual({moved: true});
		}),
	);
});

test('a git that outlived its supervisor is waited for', async () => {
	const {root, to, recover} = await interruptedMove();
	const end = await idleGit(root, 'rev-list', to, '--stdin');
	let isOver = false;
	const recovering = recover().finally(() => {
		isOver = true;
	});
	await new Promise(resolve => setImmediate(resolve));
	await end();
	expect(isOver).toBe(false);
	expect(await recovering).toEqual({moved: true});
});

test('a branch that was moved since, or is checked out nowhere any more, is not moved on behalf of it', async () => {
	const moved = await interruptedMove();
	bring(moved.root, moved.to, 'b.txt');
	git(moved.root, 'commit', '--quiet', '--allow-empty', '--message', 'theirs');
	expect(await moved.recover()).toMatchObject({moved: false, cause: 'target-moved'});
	expect(git(moved.root, 'status', '--porcelain')).toBe('');

	const left = await interruptedMove();
	bring(left.root, left.to, 'b.txt');
	git(left.root, 'checkout', '--quiet', '--force', '--detach');
	expect(await left.recover()).toEqual({moved: true});
	expect(git(left.root, 'rev-parse', 'main')).toBe(left.to);
	expect(git(left.root, 'rev-parse', 'HEAD')).toBe(left.from);
	expect(git(left.root, 'status', '--porcelain')).toBe('');
});

test('filters and line endings count as they do for the person', async () => {
	const {root, to, recover} = await interruptedMove(
		{'.gitattributes': '*.txt filter=upper\n*.md text eol=crlf\n', 'a.txt': 'a\n', 'b.md': 'b\n'},
		tree => write(tree, {'a.txt': 'new a\n', 'b.md': 'one\ntwo\n'}),
	);
	git(root, 'config', 'filter.upper.smudge', 'tr a-z A-Z');
	git(root, 'config', 'filter.upper.clean', 'tr A-Z a-z');
	write(root, {'a.txt': 'NEW', 'b.md': 'one\r\ntwo\r\n'});
	expect(await recover()).toEqual({moved: true});
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('NEW A\n');
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'rev-parse', 'HEAD')).toBe(to);
});

test('what a sparse checkout leaves out stays out', async () => {
	const {root, to, recover} = await interruptedMove({'in/a.txt': 'a\n', 'out/b.txt': 'b\n'}, tree =>
		write(tree, {'in/a.txt': 'new\n', 'out/b.txt': 'new\n'}),
	);
	git(root, 'sparse-checkout', 'set', 'in');
	bring(root, to, 'in/a.txt');
	expect(await recover()).toEqual({moved: true});
	expect(existsSync(join(root, 'out'))).toBe(false);
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a git that is killed while we look on is cleared up after at once', async () => {
	const {root, to, recover, before} = await interruptedMove({
		...base,
		'.gitattributes': '*.txt filter=deadly\n',
	});
	const [count, at] = [join(root, '.git/count'), join(root, '.git/at')];
	const deadly = join(root, '.git/deadly');
	script(
		deadly,
		`[ "$PWD" = ${root} ] && echo >> ${count}
[ "$(wc -l < ${count})" -eq "$(cat ${at})" ] && kill -9 $PPID
exec cat`,
	);
	git(root, 'config', 'filter.deadly.smudge', deadly);
	for (let file = 1; file <= 3; file++) {
		writeFileSync(at, `${file}\n`);
		writeFileSync(count, '');
		expect(await recover()).toMatchObject({
			moved: false,
			message: expect.stringContaining('Git was killed while it moved main'),
		});
		expect(pictureOf(root)).toBe(before);
	}

	writeFileSync(at, '1000\n');
	expect(await recover()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'HEAD')).toBe(to);
});

test('a checkout that is not there is told while git has it in its list, and has nothing to be brought back then', async () => {
	const {root, from, to, repository, clear} = await interruptedMove();
	const linked = `${root}-linked`;
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
	const checkout = {root: linked, gitDir: join(root, '.git/worktrees', basename(linked))};
	await beginMove(repository, {target: 'other', from, to, checkout});
	rmSync(linked, {recursive: true});
	expect(await clear()).toMatchObject({
		cause: 'interrupted',
		hint: expect.stringContaining('git worktree prune'),
	});
	expect(await readBegunMove(repository)).toMatchObject({target: 'other'});
	git(root, 'worktree', 'prune');
	expect(await clear()).toBeUndefined();
	expect(await readBegunMove(repository)).toBeUndefined();
});

test('a submodule that only the branch was missing goes back in the index', async () => {
	const world = await interruptedMove({'a.txt': 'a\n'}, tree => write(tree, {'a.txt': 'b\n'}));
	const {root, recover} = world;
	expect(await recover()).toEqual({moved: true});
	const from = git(root, 'rev-parse', 'HEAD');
	git(root, 'update-index', '--add', '--cacheinfo', `160000,${from},module`);
	const to = git(root, 'commit-tree', '-p', from, '-m', 'module', git(root, 'write-tree'));
	const {begin, hold, clear} = movesOf(world, from, to);
	await begin();
	await hold();
	expect(await clear()).toBeUndefined();
	expect(git(root, 'ls-files')).toBe('a.txt');
});
