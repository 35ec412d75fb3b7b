import {chmodSync} from 'node:fs';
import {join} from 'node:path';
import {changed, type Recipe, repositoryOf, shellAgent} from './recipe.ts';

const files = {'src/here.txt': 'here\n', 'docs/here.txt': 'here\n'};

/** Files and folders that may not be written; they are in the way of everybody but root. */
export const closed: readonly Recipe[] = [
	{
		name: 'a file and a folder that may not be written, where nothing changes',
		make: () =>
			changed(root => {
				chmodSync(join(root, 'src/here.txt'), 0o444);
				chmodSync(join(root, 'docs'), 0o555);
			}, files),
	},
	{
		name: 'a folder that may not be written, and work in it',
		make: () => changed(root => chmodSync(join(root, 'src'), 0o555), files),
		hindered: {cause: 'other', clear: root => chmodSync(join(root, 'src'), 0o755)},
	},
	{
		name: 'an agent that closes folders of its worktree',
		make: () => repositoryOf(files),
		agent: () =>
			shellAgent(
				'mkdir src/ro dark docs/ro; echo work > src/work.txt; echo out > docs/here.txt; echo out > docs/ro/x; chmod 0 dark; chmod 555 src/ro docs/ro docs',
				['src/**'],
			),
	},
];
