import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {git, temporaryFolder, write} from '../../helpers/repository.ts';
import {changed, type Recipe, repositoryOf, withBranch} from './recipe.ts';

const conflicting = (root: string): void => {
	withBranch(root, 'theirs', {'readme.md': 'theirs\n'});
	write(root, {'readme.md': 'ours\n'});
	git(root, 'commit', '--quiet', '--all', '--message', 'ours');
};

const tryTo = (root: string, ...words: readonly string[]): void => {
	try {
		git(root, ...words);
	} catch {
		// It is meant to stop at a conflict.
	}
};

/** Repositories in which a session can't begin, with the reason that has to be told. */
export const starts: readonly Recipe[] = [
	{
		name: 'a folder that is no repository',
		make: temporaryFolder,
		refused: {code: 3, says: /No git repository could be opened here[\s\S]*git init/},
	},
	{
		name: 'without a commit',
		make: () => {
			const root = temporaryFolder();
			git(root, 'init', '--quiet');
			return root;
		},
		refused: {code: 3, says: /no commit yet[\s\S]*git commit --allow-empty/},
	},
	{
		name: 'bare',
		make: () => {
			const bare = join(temporaryFolder(), 'bare.git');
			git(repositoryOf(), 'clone', '--quiet', '--bare', '.', bare);
			return bare;
		},
		refused: {code: 1, says: /is bare[\s\S]*git worktree add/},
	},
	{
		name: 'the inside of a git folder',
		make: () => join(repositoryOf(), '.git'),
		refused: {code: 1, says: /the inside of a git folder/},
	},
	{
		name: 'a detached HEAD',
		make: () => changed(root => git(root, 'checkout', '--quiet', '--detach')),
		refused: {code: 1, says: /on no branch \(detached HEAD\)[\s\S]*switch to a branch/},
	},
	{
		name: 'in the middle of a rebase',
		make: () =>
			changed(root => {
				conflicting(root);
				tryTo(root, 'rebase', 'theirs');
			}),
		refused: {code: 1, says: /on no branch \(detached HEAD\)/},
	},
	{
		name: 'in the middle of a bisection',
		make: () =>
			changed(root => {
				for (const text of ['1', '2', '3']) {
					write(root, {'readme.md': `${text}\n`});
					git(root, 'commit', '--quiet', '--all', '--message', text);
				}

				git(root, 'bisect', 'start', 'HEAD', 'HEAD~3');
			}),
		refused: {code: 1, says: /on no branch \(detached HEAD\)/},
	},
	{
		name: 'without an identity',
		make: () =>
			changed(root => {
				git(root, 'config', 'user.useConfigOnly', 'true');
				git(root, 'config', 'user.name', '');
			}),
		refused: {code: 3, says: /name|identity/i},
	},
	{
		name: 'a target that is not there',
		make: () => repositoryOf(),
		target: 'nowhere',
		refused: {code: 3, says: /There is no branch nowhere[\s\S]*git branch nowhere/},
	},
	{
		name: 'a target that is checked out twice',
		make: () =>
			changed(root => {
				const second = join(temporaryFolder(), 'second');
				git(root, 'worktree', 'add', '--quiet', '--force', second, 'main');
			}),
		refused: {code: 1, says: /main is checked out in .*\/second[\s\S]*git switch --detach/},
	},
	{
		name: 'a target that is checked out once more by another name',
		make: () =>
			changed(root => {
				git(root, 'branch', '--quiet', 'trunk');
				git(root, 'checkout', '--quiet', 'trunk');
				git(root, 'symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
				const second = join(temporaryFolder(), 'second');
				git(root, 'worktree', 'add', '--quiet', '--force', second, 'main');
			}),
		refused: {code: 1, says: /trunk is checked out in .*\/second[\s\S]*git switch --detach/},
	},
	{
		name: 'a target in a main checkout that git keeps no path of',
		make: () => {
			const root = repositoryOf();
			const linked = join(temporaryFolder(), 'linked');
			git(root, 'init', '--quiet', `--separate-git-dir=${join(temporaryFolder(), 'apart.git')}`);
			git(root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
			return linked;
		},
		target: 'main',
		refused: {code: 1, says: /git keeps no note of where that is[\s\S]*core\.worktree/},
	},
	{
		name: 'a HEAD that is damaged',
		make: () =>
			changed(root => {
				rmSync(join(root, '.git/HEAD'));
				mkdirSync(join(root, '.git/HEAD'));
			}),
		refused: {code: 3, says: /No git repository could be opened here/},
	},
];
