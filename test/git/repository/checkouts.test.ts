import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {worktrees} from '../../../src/git/repository/checkouts.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {findHolderObstacle, holderOf} from '../../../src/git/target/obstacles.ts';
import {git, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

test('a checkout whose folder is gone holds its own branch, and no other one', async () => {
	const root = makeRepository();
	const gone = join(temporaryFolder(), 'gone');
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', gone);
	git(root, 'branch', 'free');
	rmSync(gone, {recursive: true});
	const repository = await openRepository(root);
	expect(await holderOf(repository, 'other')).toMatchObject({
		isLasting: false,
		obstacle: {message: `The branch is checked out in ${gone}, and that folder is gone.`},
	});
	expect(await holderOf(repository, 'free')).toBeUndefined();
});

test('a checkout that is none here, as one that was made elsewhere, keeps nobody from finding another', async () => {
	const root = makeRepository();
	const elsewhere = join(temporaryFolder(), 'elsewhere');
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', elsewhere);
	writeFileSync(join(elsewhere, '.git'), 'gitdir: /workspaces/project/.git/worktrees/elsewhere\n');
	const repository = await openRepository(root);
	expect(await holderOf(repository, 'main')).toMatchObject({checkout: {root}});
});

test('a checkout whose path has a line break holds its branch', async () => {
	const root = makeRepository();
	const broken = join(temporaryFolder(), 'line\nbreak');
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', broken);
	expect(await holderOf(await openRepository(root), 'other')).toMatchObject({
		checkout: {root: broken},
	});
});

/** A repository whose git folder lies apart from its files, as seen from a linked worktree on a branch `other`. */
const seenFromLinked = async () => {
	const root = makeRepository();
	const gitDir = join(temporaryFolder(), 'apart from it.git');
	git(root, 'init', '--quiet', `--separate-git-dir=${gitDir}`);
	const linked = join(temporaryFolder(), 'linked');
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
	return {root, gitDir, linked, repository: await openRepository(linked)};
};

test('a main checkout that git keeps no path of holds its own branch, and no other one', async () => {
	const {gitDir, repository} = await seenFromLinked();
	expect(await findHolderObstacle(repository, 'main')).toMatchObject({
		cause: 'other',
		message: `main is checked out in the main checkout of ${gitDir}, and git keeps no note of where that is.`,
		hint: expect.stringContaining(`git --git-dir='${gitDir}' config core.worktree FOLDER`),
	});
	expect(await findHolderObstacle(repository, 'other')).toBeUndefined();
});

test('a main checkout lies where the setting says, be it told from the git folder or not', async () => {
	const {root, gitDir, repository} = await seenFromLinked();
	const roots = async () => (await worktrees(repository)).map(worktree => worktree.root);
	expect(await roots()).toEqual([gitDir, repository.root]);
	git(gitDir, '--git-dir=.', 'config', 'core.worktree', root);
	expect(await roots()).toEqual([root, repository.root]);
	const beside = join(gitDir, '..', 'beside');
	mkdirSync(beside);
	git(gitDir, '--git-dir=.', 'config', 'core.worktree', '../beside');
	expect(await roots()).toEqual([beside, repository.root]);
});

test('each of several places that hold a branch is named, be it gone or without a path', async () => {
	const {gitDir, linked, repository} = await seenFromLinked();
	const gone = join(temporaryFolder(), 'gone');
	git(linked, 'worktree', 'add', '--quiet', '--force', gone, 'main');
	rmSync(gone, {recursive: true});
	git(linked, 'checkout', '--quiet', '--ignore-other-worktrees', 'main');
	const {message = ''} = (await findHolderObstacle(repository, 'main')) ?? {};
	for (const place of [`the checkout of ${gitDir}`, gone, linked]) {
		expect(message).toContain(place);
	}

	git(linked, 'symbolic-ref', 'refs/heads/by-name', 'refs/heads/main');
	expect(await findHolderObstacle(repository, 'by-name')).toMatchObject({
		message: expect.stringContaining('main is checked out in'),
	});
});
