import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {git, temporaryFolder} from '../../helpers/repository.ts';
import {changed, type Recipe, repositoryOf} from './recipe.ts';

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
		name: 'without an identity',
		make: () =>
			changed(root => {
				git(root, 'config', 'user.useConfigOnly', 'true');
				git(root, 'config', 'user.name', '');
			}),
		refused: {code: 3, says: /name|identity/i},
	},
	{
		name: 'a target that can’t be a branch',
		make: () => repositoryOf(),
		target: 'main/next',
		refused: {code: 1, says: /There is no branch main\/next[\s\S]*beside the branch main/},
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
		name: 'a HEAD that is damaged',
		make: () =>
			changed(root => {
				rmSync(join(root, '.git/HEAD'));
				mkdirSync(join(root, '.git/HEAD'));
			}),
		refused: {code: 3, says: /No git repository could be opened here/},
	},
];
