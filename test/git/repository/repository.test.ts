import {appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {user} from '../../../src/git/process/user.ts';
import {gitVersion, isNewEnough} from '../../../src/git/process/version.ts';
import {pinBase, unpinBase} from '../../../src/git/repository/base-ref.ts';
import {plainRepository} from '../../../src/git/repository/plain-repository.ts';
import {
	currentBranch,
	identity,
	openRepository,
	resolveCommit,
	tipOf,
} from '../../../src/git/repository/repository.ts';
import {
	belongings,
	commitAll,
	git,
	hermeticHome,
	makeRepository,
	script,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';

test('is found from a folder below, with one id in all its worktrees', async () => {
	const root = makeRepository({'src/a.ts': ''});
	const linked = join(temporaryFolder(), 'linked');
	git(root, 'worktree', 'add', '--quiet', linked);
	const below = await openRepository(join(root, 'src'));
	const other = await openRepository(linked);
	expect(below).toMatchObject({
		root,
		gitDir: join(root, '.git'),
		commonDir: join(root, '.git'),
	});
	expect(below.id).toMatch(/^project-[0-9a-f]{12}$/);
	expect(other).toMatchObject({id: below.id, root: linked, commonDir: join(root, '.git')});
	expect(await currentBranch(below)).toBe('main');
	expect(await currentBranch(other)).toBe('linked');
});

test.each<[string, 'told' | 'left to git', (root: string) => string]>([
	['as made', 'told', root => root],
	['a folder below', 'told', root => join(root, 'src')],
	['a linked worktree', 'told', root => linkedTo(root)],
	['packed refs', 'told', root => done(root, 'pack-refs', '--all')],
	['a setting of no matter', 'told', root => done(root, 'config', 'user.name', 'ada')],
	['a clone', 'told', root => cloned(root, '--no-tags')],
	['a shallow clone', 'told', root => cloned(root, '--depth=1')],
	['a detached HEAD', 'left to git', root => done(root, 'checkout', '--quiet', '--detach')],
	['a branch without a commit', 'left to git', root => done(root, 'checkout', '--orphan', 'new')],
	['a worktree elsewhere', 'left to git', root => done(root, 'config', 'core.worktree', '..')],
	['bare', 'left to git', root => done(root, 'config', 'core.bare', 'true')],
	['its own settings', 'left to git', root => done(root, 'config', 'include.path', 'more')],
	['the git folder', 'left to git', root => join(root, '.git')],
	['other objects', 'left to git', () => made('--object-format=sha256')],
	['a link to it', 'left to git', root => linkTo(root)],
	['a folder with a HEAD', 'left to git', root => join(root, 'src/bare')],
	['no repository', 'left to git', () => temporaryFolder()],
])('%s is %s without a git, and then it is what git says', (_, by, place) => {
	const folder = place(makeRepository({'src/a.ts': '', 'src/bare/HEAD': ''}));
	const plain = plainRepository(folder);
	expect(plain === undefined ? 'left to git' : 'told').toBe(by);
	if (plain !== undefined) {
		const asked = ['--show-toplevel', '--git-dir', '--git-common-dir'];
		expect(Object.values(plain).map(String)).toEqual(
			git(folder, 'rev-parse', '--path-format=absolute', ...asked).split('\n'),
		);
	}
});

const done = (root: string, ...words: readonly string[]): string => {
	git(root, ...words);
	return root;
};

const linkedTo = (root: string): string => {
	const linked = join(temporaryFolder(), 'linked');
	git(root, 'worktree', 'add', '--quiet', linked);
	return linked;
};

const cloned = (root: string, option: string): string => {
	const clone = join(temporaryFolder(), 'clone');
	git(root, 'clone', '--quiet', option, `file://${root}`, clone);
	return clone;
};

const made = (option: string): string => {
	const folder = temporaryFolder();
	git(folder, 'init', '--quiet', option);
	commitAll(folder);
	return folder;
};

const linkTo = (root: string): string => {
	const link = join(temporaryFolder(), 'link');
	symlinkSync(root, link);
	return link;
};

test('an id is safe as a file name', async () => {
	hermeticHome();
	const root = join(temporaryFolder(), '..my "pröject" #1');
	mkdirSync(root);
	git(root, 'init', '--quiet');
	commitAll(root);
	expect((await openRepository(root)).id).toMatch(/^my-pr-ject-1-[0-9a-f]{12}$/);
});

test('branches, commits and a detached HEAD are told', async () => {
	const root = makeRepository();
	const repository = await openRepository(root);
	const head = git(root, 'rev-parse', 'HEAD');
	expect(await tipOf(repository, 'main')).toBe(head);
	expect(await tipOf(repository, 'nope')).toBeUndefined();
	expect(await resolveCommit(repository, 'HEAD~0')).toBe(head);
	expect(await resolveCommit(repository, '--all')).toBeUndefined();
	git(root, 'checkout', '--quiet', '--detach');
	expect(await currentBranch(repository)).toBeUndefined();
});

test('a branch of which git can’t tell where it stands is not taken for none', async () => {
	const root = makeRepository();
	const repository = await openRepository(root);
	expect(await tipOf(repository, 'other')).toBeUndefined();
	appendFileSync(join(root, '.git/config'), '[broken\n');
	await expect(tipOf(repository, 'main')).rejects.toThrow(/bad config/);
});

test('a folder without a repository is refused with that reason', async () => {
	hermeticHome();
	await expect(openRepository(temporaryFolder())).rejects.toMatchObject({
		kind: 'missing',
		message: expect.stringContaining('not a git repository'),
	});
	await expect(openRepository('/nowhere/at/all')).rejects.toMatchObject({
		kind: 'missing',
		message: expect.stringContaining('/nowhere/at/all'),
	});
});

test('a repository without a commit is refused with the way to make one', async () => {
	hermeticHome();
	const root = temporaryFolder();
	git(root, 'init', '--quiet');
	await expect(openRepository(root)).rejects.toMatchObject({
		kind: 'missing',
		hint: expect.stringContaining('--allow-empty'),
	});
});

test('a bare repository and the inside of a git folder are refused', async () => {
	const root = makeRepository();
	const bare = join(temporaryFolder(), 'bare.git');
	git(root, 'clone', '--quiet', '--bare', root, bare);
	await expect(openRepository(bare)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('bare'),
	});
	await expect(openRepository(join(root, '.git'))).rejects.toMatchObject({kind: 'refused'});
});

test('the identity is the one git would use, and none is a reason to stop', async () => {
	const config = hermeticHome();
	const root = makeRepository();
	const repository = await openRepository(root);
	expect(await identity(repository)).toEqual({name: 'Ada Person', email: 'ada@example.org'});
	git(root, 'config', 'user.name', 'Ada <Here>');
	expect(await identity(repository)).toMatchObject({name: expect.stringContaining('Ada')});
	git(root, 'config', '--unset', 'user.name');
	git(root, 'config', '--file', config, '--remove-section', 'user');
	await expect(identity(repository)).rejects.toMatchObject({
		kind: 'missing',
		hint: expect.stringContaining('git config --global user.email'),
	});
});

test('the base ref is all that is written, and it survives a gc', async () => {
	const root = makeRepository();
	const base = commitAll(root, 'to be dropped');
	git(root, 'reset', '--quiet', '--hard', 'HEAD~');
	script(join(root, '.git/hooks/reference-transaction'), `touch ${root}/sang`);
	const before = belongings(root);
	const repository = await openRepository(root);
	await pinBase(repository, 's1', base);
	await pinBase(repository, 's1', base);
	const after = belongings(root);
	expect(after.refs).toBe(`refs/delegate/s1/base ${base}\n${before.refs}`);
	expect({...after, refs: '', gitFiles: {}}).toEqual({...before, refs: '', gitFiles: {}});
	rmSync(join(root, '.git/hooks/reference-transaction'));
	git(root, 'reflog', 'expire', '--all', '--expire=now');
	git(root, 'gc', '--quiet', '--prune=now');
	expect(await resolveCommit(repository, base)).toBe(base);
	await unpinBase(repository, 's1');
	await unpinBase(repository, 's1');
	expect(git(root, 'for-each-ref', 'refs/delegate')).toBe('');
});

test('a git folder named in our environment leads nowhere else', async () => {
	const root = makeRepository();
	process.env.GIT_DIR = join(makeRepository(), '.git');
	process.env.GIT_INDEX_FILE = '/nowhere';
	try {
		expect((await openRepository(root)).gitDir).toBe(join(root, '.git'));
	} finally {
		delete process.env.GIT_DIR;
		delete process.env.GIT_INDEX_FILE;
	}
});

test('the person’s git runs with their settings and without their hooks', async () => {
	const root = makeRepository();
	const canary = join(root, 'sang');
	script(join(root, '.git/hooks/post-checkout'), `touch ${canary}`);
	git(root, 'config', 'alias.mine', 'rev-parse --show-toplevel');
	const {stdout, code} = await user(root, ['mine']);
	expect({code, text: stdout.toString()}).toEqual({code: 0, text: `${root}\n`});
	await user(root, ['checkout', '--quiet', '-b', 'other']);
	expect(git(root, 'status', '--porcelain')).toBe('');
	git(root, 'checkout', '--quiet', 'main');
	expect(git(root, 'status', '--porcelain')).toBe('?? sang');
});

test('what the person’s git writes is on the disk when it says so, also where they don’t ask for that', async () => {
	const root = makeRepository();
	git(root, 'config', 'core.fsync', 'none');
	const {stdout} = await user(root, ['config', 'core.fsync']);
	expect(stdout.toString()).toBe('added,reference\n');
});

test('the person’s git gives back bytes, takes an input and fails in git’s words', async () => {
	const root = makeRepository();
	const input = Uint8Array.of(0xff, 0, 0x0a);
	const written = await user(root, ['hash-object', '-w', '--stdin'], {input});
	const oid = written.stdout.toString().trim();
	expect((await user(root, ['cat-file', 'blob', oid])).stdout).toEqual(Buffer.from(input));
	await expect(user(root, ['rev-parse', '--verify', 'nope'])).rejects.toMatchObject({
		kind: 'internal',
		message: expect.stringContaining('Needed a single revision'),
	});
	expect((await user(root, ['rev-parse', '--verify', 'nope'], {expect: [128]})).code).toBe(128);
});

test('a git that is too old is told from one that will do', async () => {
	expect(await gitVersion()).toMatch(/^\d+\.\d+/);
	expect(['2.37.9', '1.99.0', '2.4.0'].map(isNewEnough)).toEqual([false, false, false]);
	expect(['2.38.0', '2.39.5', '3.0.0', '2.50.1.windows.1'].map(isNewEnough)).not.toContain(false);
});

test('names in the working folder are not taken for commands', async () => {
	const root = makeRepository();
	write(root, {git: 'exit 1'});
	expect((await openRepository(root)).root).toBe(root);
});

test('a folder whose name holds a line break is refused, since git tells its places in lines', async () => {
	const folder = join(temporaryFolder(), 'two\nlines');
	mkdirSync(folder);
	await expect(openRepository(makeRepository({}, folder))).rejects.toMatchObject({
		kind: 'refused',
		message: 'The path of this repository holds a line break.',
	});
});

test('a folder whose name can’t stand in an id still has one', async () => {
	const root = join(temporaryFolder(), '日本');
	renameSync(makeRepository(), root);
	expect((await openRepository(root)).id).toMatch(/^repository-[\da-f]{12}$/);
});
