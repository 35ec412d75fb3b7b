import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {git, write} from '../../helpers/repository.ts';
import {changed, type Recipe, shellAgent, withBranch} from './recipe.ts';

const work = 'src/work.txt';

/** Checkouts in which something of the person's is under way, or in the way. */
export const clashes: readonly Recipe[] = [
	{
		name: 'edited, staged, untracked and stashed files elsewhere',
		make: () =>
			changed(
				root => {
					write(root, {'a.txt': 'put off\n'});
					git(root, 'stash', 'push', '--quiet');
					write(root, {'a.txt': 'edited\n', 'b.txt': 'staged\n', 'c.txt': 'untracked\n'});
					git(root, 'add', 'b.txt');
				},
				{'a.txt': 'a\n', 'b.txt': 'b\n'},
			),
	},
	{
		name: 'an edit of the file that the merge changes',
		make: () => changed(root => write(root, {[work]: 'mine\n'}), {[work]: 'base\n'}),
		hindered: {
			cause: 'dirty-checkout',
			clear: root => git(root, 'checkout', '--quiet', work),
		},
	},
	{
		name: 'an untracked file where the merge adds one',
		make: () => changed(root => write(root, {[work]: 'mine\n'})),
		hindered: {cause: 'untracked-files', clear: root => rmSync(join(root, work))},
	},
	{
		name: 'an ignored file where the merge adds one',
		make: () => changed(root => write(root, {[work]: 'mine\n'}), {'.gitignore': `${work}\n`}),
		agent: () => shellAgent(`: > .gitignore; mkdir -p src; echo work > ${work}`),
		merged: ['.gitignore', work],
		hindered: {cause: 'ignored-files', clear: root => rmSync(join(root, work))},
	},
	{
		name: 'a lock on the index',
		make: () => changed(root => write(root, {'.git/index.lock': ''})),
		hindered: {cause: 'locked', clear: root => rmSync(join(root, '.git/index.lock'))},
	},
	{
		name: 'in the middle of a merge',
		make: () =>
			changed(root => {
				withBranch(root, 'theirs', {'theirs.txt': 'theirs\n'});
				write(root, {'ours.txt': 'ours\n'});
				git(root, 'add', 'ours.txt');
				git(root, 'commit', '--quiet', '--message', 'ours');
				git(root, 'merge', '--quiet', '--no-commit', '--no-ff', 'theirs');
			}),
		hindered: {cause: 'in-progress', clear: root => git(root, 'merge', '--abort')},
	},
];
