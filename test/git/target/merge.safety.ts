import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {buildersOn} from '../../../src/git/target/reversal.ts';
import {movesOf} from '../../helpers/moves.ts';
import {
	belongings,
	commitAll,
	type Files,
	filesBelow,
	git,
	makeRepository,
	script,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';
import {makeWorld, worldOf} from '../world.ts';

type Setup = {
	readonly base?: Files;
	/** What the merge brings, written and removed in the agent's worktree. */
	readonly work?: (tree: string) => void;
	/** What the person has done meanwhile. */
	readonly person?: (root: string, base: string) => void;
};

const base: Files = {'a.txt': 'a\n', 'b.txt': 'b\n', 'lib/c.txt': 'c\n'};

/** A merge that waits to be published, and a way to try. */
const merged = async ({base: files = base, work, person}: Setup = {}) => {
	const root = makeRepository(files);
	const world = await worldOf(root);
	(work ?? (tree => write(tree, {'a.txt': 'merged\n', 'new.txt': 'new\n'})))(world.tree);
	const to = await world.commitWork();
	person?.(root, world.base);
	return {...world, to, attempt: movesOf(world, world.base, to).merge};
};

/** A publication that is refused for this cause and changes nothing. */
const refused = async (setup: Setup) => refusal(await merged(setup));

const refusal = async ({root, attempt}: Awaited<ReturnType<typeof merged>>) => {
	const before = belongings(root);
	const outcome = await attempt();
	expect(belongings(root)).toEqual(before);
	expect(outcome.moved).toBe(false);
	return outcome.moved ? undefined : outcome;
};

test('a checked out target moves with its checkout, and nothing else does', async () => {
	const {root, attempt, to} = await merged({
		work: tree => {
			write(tree, {'a.txt': 'merged\n', 'new/file.txt': 'new\n'});
			rmSync(join(tree, 'lib'), {recursive: true});
			chmodSync(join(tree, 'b.txt'), 0o755);
		},
		person: path => {
			write(path, {'b.txt': 'stashed\n'});
			git(path, 'stash', 'push', '--quiet');
			git(path, 'branch', 'other');
			write(path, {'untracked.txt': 'mine\n', '.git/info/exclude': '.env\n', '.env': 'SECRET=1\n'});
		},
	});
	const before = belongings(root);
	expect(await attempt()).toEqual({moved: true});
	const after = belongings(root);
	expect(git(root, 'rev-parse', 'HEAD')).toBe(to);
	expect(git(root, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
	expect(git(root, 'status', '--porcelain')).toBe('?? untracked.txt');
	expect(after.refs).toBe(before.refs.replace(/(refs\/heads\/main) .*/, `$1 ${to}`));
	expect(after.stash).toBe(before.stash);
	expect(Object.keys(after.files)).toEqual([
		'.env',
		'a.txt',
		'b.txt',
		'new/file.txt',
		'untracked.txt',
	]);
	expect(after.files['.env']).toBe(before.files['.env']);
	const changed = Object.keys({...before.gitFiles, ...after.gitFiles})
		.filter(path => before.gitFiles[path] !== after.gitFiles[path])
		.map(path => path.slice(root.length));
	expect(changed.toSorted()).toEqual([
		'/.git/logs/HEAD',
		'/.git/logs/refs/heads/main',
		'/.git/refs/heads/main',
	]);
	expect(git(root, 'fsck', '--full')).toBe('');
});

test('a target that is another name for the branch that is checked out moves with the checkout', async () => {
	const {root, repository, attempt, to} = await merged({
		person: path => {
			git(path, 'branch', '--quiet', '--move', 'main', 'trunk');
			git(path, 'symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
		},
	});
	expect(await attempt()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'main', 'trunk')).toBe(`${to}\n${to}`);
	expect(git(root, 'status', '--porcelain')).toBe('');
	// Nobody else stands on the merge: it could be taken back without a commit.
	expect(await buildersOn(repository, to, 'main')).toEqual([]);
});

test('a target that is checked out twice is refused in both, by whatever name', async () => {
	const second = join(temporaryFolder(), 'second');
	for (const person of [
		(root: string) => git(root, 'worktree', 'add', '--quiet', '--force', second, 'main'),
		(root: string) => {
			git(root, 'branch', '--quiet', '--move', 'main', 'trunk');
			git(root, 'symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
			git(root, 'worktree', 'add', '--quiet', '--force', `${second}-by-name`, 'main');
		},
	]) {
		const outcome = await refused({person});
		expect(outcome?.message).toMatch(/is checked out in \S+ and in \S+\/second/);
		expect(outcome?.hint).toContain('git switch --detach');
	}
});

test('a second publication of the same merge is done already', async () => {
	const {attempt, root} = await merged();
	expect(await attempt()).toEqual({moved: true});
	const before = belongings(root);
	expect(await attempt()).toEqual({moved: true});
	expect(belongings(root)).toEqual(before);
});

test('edits and staged files that the merge leaves alone are kept', async () => {
	const {attempt, root} = await merged({
		person: path => {
			write(path, {'b.txt': 'my edit\n', 'staged.txt': 'staged\n'});
			git(path, 'add', 'staged.txt');
			write(path, {'lib/c.txt': 'staged edit\n'});
			git(path, 'add', 'lib/c.txt');
			git(path, 'config', 'merge.autoStash', 'true');
		},
	});
	expect(await attempt()).toEqual({moved: true});
	expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('my edit\n');
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('merged\n');
	expect(git(root, 'status', '--porcelain').split('\n')).toEqual([
		' M b.txt',
		'M  lib/c.txt',
		'A  staged.txt',
	]);
});

test('an edit of a file that the merge changes, too, is refused and kept', async () => {
	const world = await merged();
	for (const change of [
		(root: string) => write(root, {'a.txt': 'mine\n'}),
		(root: string) => {
			write(root, {'a.txt': 'mine\n'});
			git(root, 'add', 'a.txt');
		},
		(root: string) => rmSync(join(root, 'a.txt')),
		(root: string) => git(root, 'rm', '--quiet', '--cached', 'a.txt'),
	]) {
		change(world.root);
		expect(await refusal(world)).toMatchObject({cause: 'dirty-checkout', paths: ['a.txt']});
		git(world.root, 'reset', '--quiet', '--hard');
	}
});

test('an edit that git was told to ignore is refused and kept', async () => {
	const world = await merged();
	write(world.root, {'a.txt': 'overlooked\n'});
	for (const how of ['assume-unchanged', 'skip-worktree']) {
		git(world.root, 'update-index', `--${how}`, 'a.txt', 'b.txt');
		expect(await refusal(world)).toMatchObject({
			cause: 'dirty-checkout',
			message: expect.stringContaining('a.txt'),
			hint: expect.stringContaining('told to ignore'),
		});
		git(world.root, 'update-index', `--no-${how}`, 'a.txt', 'b.txt');
	}
});

const oddNames = ['line\nbreak', ':(top)x', '-rf', '*', '"q"'];
const named = (content: string) => Object.fromEntries(oddNames.map(name => [name, content]));

/** What a person can have in the place of something new, with what is told of it. */
const inTheWay: readonly (readonly [string, readonly string[], (root: string) => void])[] = [
	['untracked-files', ['new.txt'], root => write(root, {'new.txt': 'mine\n'})],
	['ignored-files', ['.env'], root => write(root, {'.env': 'SECRET=1\n'})],
	// One of them is ignored; it is told when the others are gone.
	['untracked-files', oddNames.filter(name => name !== '*'), root => write(root, named('mine'))],
	['untracked-files', ['folder'], root => write(root, {folder: 'a file\n'})],
	['untracked-files', ['folder'], root => symlinkSync('lib', join(root, 'folder'))],
	[
		'untracked-files',
		['thing/mine.txt'],
		root => write(root, {'thing/mine.txt': '', 'thing/build.log': ''}),
	],
];

test('what is in the place of something new is refused and kept, but for a folder that holds nothing', async () => {
	const world = await merged({
		work: tree =>
			write(tree, {
				...{...named('agent'), 'new.txt': 'new\n', '.env': 'FROM=agent\n'},
				...{'folder/x.txt': 'x\n', thing: 'x\n'},
			}),
		person: root => write(root, {'.git/info/exclude': '.env\n\\*\n*.log\n'}),
	});
	for (const [cause, paths, put] of inTheWay) {
		put(world.root);
		const outcome = await refusal(world);
		expect(outcome?.cause).toBe(cause);
		expect(outcome?.paths?.toSorted()).toEqual(paths.toSorted());
		git(world.root, 'clean', '--quiet', '-d', '-x', '--force');
	}

	mkdirSync(join(world.root, 'thing'));
	expect(await world.attempt()).toEqual({moved: true});
	expect(readFileSync(join(world.root, 'thing'), 'utf8')).toBe('x\n');
});

test('a tracked file that becomes a folder, and a folder that becomes a file, are no clash', async () => {
	const {attempt, root} = await merged({
		work: tree => {
			rmSync(join(tree, 'a.txt'));
			rmSync(join(tree, 'lib'), {recursive: true});
			write(tree, {'a.txt/inner.txt': 'x\n', lib: 'file\n'});
		},
	});
	expect(await attempt()).toEqual({moved: true});
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a target that has moved, or is gone, is refused', async () => {
	const world = await merged();
	const {root} = world;
	write(root, {'b.txt': 'theirs\n'});
	commitAll(root);
	const moved = {cause: 'target-moved', message: expect.stringContaining('has moved')};
	expect(await refusal(world)).toMatchObject(moved);
	git(root, 'checkout', '--quiet', '--detach');
	git(root, 'branch', '--quiet', '-D', 'main');
	expect(await refusal(world)).toMatchObject({cause: 'no-target'});
});

/** Runs a command that stops half-way, which is what the test wants. */
const stop = (root: string, ...args: readonly string[]): void => {
	expect(() => git(root, ...args)).toThrow();
};

const side = (root: string, start: string, files: Files): void => {
	git(root, 'checkout', '--quiet', '-b', 'side', start);
	write(root, files);
	commitAll(root, 'side');
	git(root, 'checkout', '--quiet', 'main');
};

const unfinished: Readonly<Record<string, NonNullable<Setup['person']>>> = {
	merge: (root, start) => {
		side(root, start, {'b.txt': 'side\n'});
		git(root, 'merge', '--quiet', '--no-ff', '--no-commit', 'side');
	},
	'cherry-pick': (root, start) => {
		side(root, start, {});
		stop(root, 'cherry-pick', 'side');
	},
	'merge with conflicts': root => {
		const oid = git(root, 'rev-parse', 'HEAD:b.txt');
		write(root, {'.git/stages': `100644 ${oid} 1\tb.txt\n100644 ${oid} 2\tb.txt\n`});
		git(root, 'update-index', '--force-remove', 'b.txt');
		execFileSync('sh', ['-c', 'git update-index --index-info <.git/stages'], {cwd: root});
	},
	rebase: (root, start) => {
		write(root, {'b.txt': 'main\n'});
		commitAll(root);
		side(root, start, {'b.txt': 'side\n'});
		stop(root, 'rebase', 'side');
		git(root, 'update-ref', 'refs/heads/main', start);
	},
};

test.for(Object.entries(unfinished))('a %s under way is refused', async ([command, person]) => {
	expect(await refused({person})).toMatchObject({
		cause: 'in-progress',
		message: expect.stringContaining(`A ${command} is in progress`),
	});
});

test('a lock is told and left where it is', async () => {
	const world = await merged();
	for (const name of ['index.lock', 'refs/heads/main.lock']) {
		const lock = join(world.root, '.git', name);
		writeFileSync(lock, '');
		const told = {cause: 'locked', message: expect.stringContaining(name)};
		expect(await refusal(world)).toMatchObject(told);
		rmSync(lock);
	}
});

test('a target that is checked out nowhere moves by itself', async () => {
	const {attempt, root, to} = await merged({
		person: path => git(path, 'checkout', '--quiet', '--detach'),
	});
	const before = filesBelow(root);
	expect(await attempt()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(filesBelow(root)).toEqual(before);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'reflog', 'main').split('\n')[0]).toContain('delegate-tui');
});

test('a target in another worktree moves there, and dirt there counts', async () => {
	const linked = join(temporaryFolder(), 'linked');
	const person = (root: string) => {
		git(root, 'checkout', '--quiet', '-b', 'mine');
		git(root, 'worktree', 'add', '--quiet', linked, 'main');
		write(root, {'a.txt': 'dirt elsewhere\n'});
		write(linked, {'a.txt': 'dirt here\n'});
	};
	const {attempt, root, to} = await merged({person});
	const before = filesBelow(root);
	expect(await attempt()).toMatchObject({cause: 'dirty-checkout', paths: ['a.txt']});
	git(linked, 'checkout', '--quiet', 'a.txt');
	expect(await attempt()).toEqual({moved: true});
	expect(git(linked, 'rev-parse', 'HEAD')).toBe(to);
	expect(git(linked, 'status', '--porcelain')).toBe('');
	expect(filesBelow(root)).toEqual(before);
});

test('a checkout without an index, as after a clone without one, gets only what the merge brings', async () => {
	const {attempt, root, to} = await merged({
		work: tree => write(tree, {'new.txt': 'new\n'}),
		person: path => {
			for (const gone of ['.git/index', ...Object.keys(base)]) {
				rmSync(join(path, gone));
			}
		},
	});
	expect(await attempt()).toEqual({moved: true});
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(Object.keys(filesBelow(root))).toEqual(['new.txt']);
	expect(git(root, 'status', '--porcelain')).toBe('D  a.txt\nD  b.txt\nD  lib/c.txt');
});

test('a worktree of the original, which a copied repository lists, too, is left alone', async () => {
	const [linked, original] = [
		join(temporaryFolder(), 'a linked one'),
		join(temporaryFolder(), 'original'),
	];
	const world = await merged({
		person: root => {
			git(root, 'checkout', '--quiet', '-b', 'mine');
			git(root, 'worktree', 'add', '--quiet', linked, 'main');
			cpSync(root, original, {recursive: true});
			writeFileSync(join(linked, '.git'), `gitdir: ${original}/.git/worktrees/a-linked-one\n`);
		},
	});
	const look = () => [
		filesBelow(linked),
		git(linked, 'status', '--porcelain', '--branch'),
		belongings(original),
	];
	const before = look();
	expect(await refusal(world)).toMatchObject({
		cause: 'other',
		message: `The branch is checked out in ${linked}, and no checkout of this repository is there.`,
		hint: expect.stringContaining(`grep -l '${linked}' `),
	});
	expect(look()).toEqual(before);
});

test('a target whose worktree is gone is refused', async () => {
	const linked = join(temporaryFolder(), 'linked');
	const outcome = await refused({
		person: root => {
			git(root, 'checkout', '--quiet', '--detach');
			git(root, 'worktree', 'add', '--quiet', linked, 'main');
			rmSync(linked, {recursive: true});
		},
	});
	expect(outcome).toMatchObject({cause: 'other', message: expect.stringContaining(linked)});
});

test('the person’s hooks do not run, their filters and line endings do', async () => {
	const {attempt, root} = await merged({
		base: {'.gitattributes': '*.txt filter=upper\n', 'a.txt': 'a\n'},
		work: tree => write(tree, {'a.txt': 'two\nlines\n', 'b.md': 'one\ntwo\n'}),
		person: path => {
			for (const hook of [
				'post-merge',
				'pre-merge-commit',
				'post-checkout',
				'reference-transaction',
				'post-index-change',
			]) {
				script(join(path, '.git/hooks', hook), `touch ${path}/.git/sang`);
			}

			git(path, 'config', 'filter.upper.smudge', 'tr a-z A-Z');
			git(path, 'config', 'filter.upper.clean', 'tr A-Z a-z');
			git(path, 'config', 'core.autocrlf', 'true');
			git(path, 'config', 'branch.main.mergeOptions', '--no-commit --squash --strategy=ours');
			git(path, 'config', 'merge.autoStash', 'true');
			rmSync(join(path, '.git/sang'), {force: true});
		},
	});
	rmSync(join(root, '.git/sang'), {force: true});
	expect(await attempt()).toEqual({moved: true});
	expect(existsSync(join(root, '.git/sang'))).toBe(false);
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toContain('TWO');
	expect(readFileSync(join(root, 'b.md'), 'utf8')).toBe('one\r\ntwo\r\n');
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a filter finds what it keeps in the git folder', async () => {
	const {attempt, root} = await merged({
		base: {'.gitattributes': '*.txt filter=own\n', 'a.txt': 'a\n'},
		person: path => {
			write(path, {'.git/own/key': 'locked '});
			git(path, 'config', 'filter.own.smudge', 'cat "$(git rev-parse --git-dir)/own/key" -');
			git(path, 'config', 'filter.own.clean', "sed 's/locked //'");
		},
	});
	expect(await attempt()).toEqual({moved: true});
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('locked merged\n');
	expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a shallow and a sparse checkout are published to', async () => {
	const origin = makeRepository({'in/a.txt': 'a\n', 'out/b.txt': 'b\n'});
	write(origin, {'in/a.txt': 'second\n'});
	commitAll(origin);
	const root = join(temporaryFolder(), 'clone');
	git(origin, 'clone', '--quiet', '--depth=1', `file://${origin}`, root);
	git(root, 'sparse-checkout', 'set', 'in');
	const world = await worldOf(root);
	write(world.tree, {'in/a.txt': 'merged\n', 'out/b.txt': 'merged\n', 'out/new.txt': 'new\n'});
	const {merge} = movesOf(world, world.base, await world.commitWork());
	expect(await merge()).toEqual({moved: true});
	expect(Object.keys(filesBelow(root))).toEqual(['in/a.txt']);
	expect(readFileSync(join(root, 'in/a.txt'), 'utf8')).toBe('merged\n');
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'show', 'HEAD:out/b.txt')).toBe('merged');
	expect(git(root, 'rev-list', '--count', 'HEAD')).toBe('2');
});

test('a commit that is not ahead of the target is a fault of ours', async () => {
	const world = await makeWorld();
	const {root} = world;
	const from = commitAll(root, 'later');
	const before = belongings(root);
	const {merge} = movesOf(world, from, world.base);
	await expect(merge()).rejects.toMatchObject({kind: 'internal'});
	expect(belongings(root)).toEqual(before);
});

test('an object that was tampered with in the store does not arrive', async () => {
	const world = await merged();
	const fileOf = (path: string) => {
		const oid = git(world.store.gitDir, 'rev-parse', `${world.to}:${path}`);
		return join(world.store.gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
	};
	chmodSync(fileOf('new.txt'), 0o644);
	writeFileSync(fileOf('new.txt'), readFileSync(fileOf('a.txt')));
	expect(await refusal(world)).toMatchObject({cause: 'other'});
});

test('a submodule whose address is an option of git is refused', async () => {
	const evil = '[submodule "x"]\n\tpath = x\n\turl = -u./evil\n';
	const world = await merged({work: tree => write(tree, {'.gitmodules': evil})});
	const told = {cause: 'other', message: expect.stringContaining('gitmodules')};
	expect(await refusal(world)).toMatchObject(told);
	git(world.root, 'checkout', '--quiet', '--detach');
	expect(await refusal(world)).toMatchObject(told);
});
