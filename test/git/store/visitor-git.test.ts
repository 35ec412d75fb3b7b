import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {createHub} from '../../../src/git/store/pin-hub.ts';
import {leadToHub, lendVisitorGit} from '../../../src/git/store/visitor-git.ts';
import {
	commitAll,
	makeRepository,
	git as run,
	script,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';

/** An agent's hub, the visit's folder beside it, and a program of the agent's that leaves a trace. */
const visited = async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const repository = await openRepository(root);
	const folder = temporaryFolder();
	const hub = await createHub({
		folder,
		repository,
		base: run(root, 'rev-parse', 'HEAD'),
		branch: 'agent/AGT-001',
	});
	const trace = join(folder, 'trace');
	const trap = join(folder, 'trap');
	script(trap, `touch '${trace}'`);
	const lend = () => lendVisitorGit(repository, {...hub, folder: join(folder, 'visits/1')});
	return {root, ...hub, state: join(hub.gitDir, 'worktrees/tree'), trap, trace, lend};
};

/** Runs what a visitor types, with the program that they would find. */
const typed = (cwd: string, lent: Readonly<Record<string, string>>, command: string): string =>
	execFileSync('/bin/sh', ['-c', `{ ${command}; } 2>&1`], {
		cwd,
		env: {...process.env, ...lent},
		encoding: 'utf8',
	}).trim();

test('a visitor’s commit is in the hub, and a setting of the hub starts nothing meanwhile', async () => {
	const {gitDir, tree, trap, trace, lend} = await visited();
	run(tree, 'config', 'core.fsmonitor', trap);
	const git = await lend();
	const environment = git.environment(process.env.PATH ?? '');
	const isOn = 'git config hook.pre-commit.enabled; git config hook.push-to-checkout.enabled';
	expect(typed(tree, environment, isOn)).toBe('false\nfalse');
	const own = 'git config --local --includes';
	expect(typed(tree, environment, `${own} gc.auto; ${own} maintenance.auto`)).toBe('0\nfalse');
	write(tree, {'b.txt': 'b\n'});
	typed(tree, environment, 'git add -A && git commit -qm mine');
	expect(run(tree, 'status', '--porcelain')).toBe('');
	expect(existsSync(trace)).toBe(false);

	await git.giveBack();
	expect(existsSync(join(gitDir, '../visits/1'))).toBe(false);
	expect(run(gitDir, 'log', '-1', '--format=%s %an', 'agent/AGT-001')).toBe('mine Ada Person');
	expect(run(tree, 'status', '--porcelain')).toBe('');
	expect(existsSync(trace)).toBe(true);
});

test('a submodule of the agent’s is not gone into, whatever its settings ask for', async () => {
	const {tree, trap, trace, lend} = await visited();
	const inner = join(tree, 'inner');
	mkdirSync(inner);
	run(inner, 'init', '--quiet');
	run(inner, 'commit', '--quiet', '--allow-empty', '-m', 'inner');
	run(inner, 'config', 'core.fsmonitor', trap);
	write(tree, {
		'.gitmodules': '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n\tignore = none\n',
	});
	const git = await lend();
	const environment = git.environment(process.env.PATH ?? '');
	expect(typed(tree, environment, 'git add -A 2>/dev/null; git status --porcelain')).toBe(
		'A  .gitmodules\nA  inner',
	);
	expect(typed(inner, environment, 'git rev-parse --show-toplevel')).toBe(tree);
	expect(typed(inner, environment, 'GIT_DIR=.git git log || true')).toContain(
		'no repository inside',
	);
	expect(existsSync(trace)).toBe(false);
});

test('outside of the worktree a visitor’s git is their own', async () => {
	const {root, lend} = await visited();
	const environment = (await lend()).environment(process.env.PATH ?? '');
	expect(typed(root, environment, 'git rev-parse --show-toplevel')).toBe(root);
});

test('a rebase of the agent’s can’t be gone on with by a visitor, and is there again after a visit that was cut off', async () => {
	const {gitDir, tree, state, trap, trace, lend} = await visited();
	const rebase = join(state, 'rebase-merge');
	write(rebase, {'git-rebase-todo': `exec ${trap}\n`});
	const git = await lend();
	const environment = git.environment(process.env.PATH ?? '');
	expect(typed(tree, environment, 'git rebase --continue || true')).toMatch(
		/no rebase in progress/i,
	);
	expect(existsSync(rebase)).toBe(false);

	await leadToHub(gitDir);
	expect(readFileSync(join(rebase, 'git-rebase-todo'), 'utf8')).toBe(`exec ${trap}\n`);
	expect(run(tree, 'rev-parse', '--git-common-dir')).toBe(gitDir);
	expect(existsSync(trace)).toBe(false);
});

test('nor can a cherry-pick, whose strategy may name a program in the worktree', async () => {
	const {gitDir, tree, state, trap, trace, lend} = await visited();
	const base = run(tree, 'rev-parse', 'HEAD');
	const picks = ['b.txt', 'c.txt'].map(name => {
		write(tree, {[name]: 'theirs\n'});
		return commitAll(tree, name);
	});
	run(tree, 'reset', '--quiet', '--hard', base);
	write(tree, {'b.txt': 'own\n'});
	commitAll(tree, 'own');
	expect(() => run(tree, 'cherry-pick', ...picks)).toThrow();
	write(join(state, 'sequencer'), {opts: '[options]\n\tstrategy = ../../trap\n'});
	mkdirSync(join(tree, 'git-merge-..'));
	copyFileSync(trap, join(tree, 'trap'));
	const settle =
		'git checkout --theirs b.txt; git add b.txt; git -c core.editor=true cherry-pick --continue || true';
	const git = await lend();
	typed(tree, git.environment(process.env.PATH ?? ''), settle);
	expect(existsSync(trace)).toBe(false);

	await leadToHub(gitDir);
	expect(existsSync(join(state, 'sequencer/todo'))).toBe(true);
});

test.each(['refs/heads/agent', 'logs', 'objects/pack', 'worktrees'])(
	'no git is lent where %s of the hub is a link to elsewhere',
	async name => {
		const {root, gitDir, lend} = await visited();
		rmSync(join(gitDir, name), {recursive: true, force: true});
		symlinkSync(join(root, '.git/refs'), join(gitDir, name));
		await expect(lend()).rejects.toMatchObject({
			kind: 'refused',
			message: expect.stringContaining('Git would follow the link'),
		});
		await leadToHub(gitDir);
		expect(existsSync(join(root, '.git/refs/commondir'))).toBe(false);
	},
);
