import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, test, vi} from 'vitest';
import {mergeCommits} from '../../../src/git/merge/merge-tree.ts';
import {openForReading, withStoreOf} from '../../../src/git/repository/readable-repository.ts';
import {commitAll, git, makeRepository, temporaryFolder, write} from '../../helpers/repository.ts';

/** Two branches that both add a line, and one of which turns the line ends of another file round that the other edits. */
const twoBranches = (): string => {
	const root = makeRepository({'list.txt': 'first\n', 'ends.md': 'a\nb\nc\n'});
	git(root, 'config', 'core.autocrlf', 'false');
	const side = (name: string, line: string, ends: string) => {
		git(root, 'checkout', '--quiet', '-b', name, 'main');
		write(root, {'list.txt': `first\n${line}`, 'ends.md': ends});
		commitAll(root, name);
	};
	side('one', 'one\n', 'a\r\nb\r\nc\r\n');
	side('two', 'two\n', 'a\nB\nc\n');
	return root;
};

const union = '*.txt merge=union\n';

test.each<readonly [string, (root: string) => void]>([
	['nothing', () => {}],
	['merge.default', root => git(root, 'config', 'merge.default', 'union')],
	[
		'attributes of the person',
		root => {
			const file = join(temporaryFolder(), 'own');
			write(join(file, '..'), {own: union});
			git(root, 'config', 'core.attributesFile', file);
		},
	],
	[
		'attributes where git looks by itself',
		() => {
			const home = temporaryFolder();
			mkdirSync(join(home, 'git'));
			write(home, {'git/attributes': union});
			vi.stubEnv('XDG_CONFIG_HOME', home);
		},
	],
	[
		'line ends that are made the same',
		root => {
			git(root, 'config', 'merge.renormalize', 'true');
			git(root, 'config', 'core.autocrlf', 'input');
		},
	],
])('a merge goes by what git goes by: %s', async (_, set) => {
	const root = twoBranches();
	set(root);
	const bare = await execa('git', ['merge-tree', '--write-tree', 'one', 'two'], {
		cwd: root,
		reject: false,
	});
	const repository = await openForReading(root);
	const made = await withStoreOf(repository, store =>
		mergeCommits(
			store,
			git(root, 'rev-parse', 'one'),
			git(root, 'rev-parse', 'two'),
			repository.settings,
		),
	);
	const paths = (text: string) => [...text.matchAll(/\t(\S+)$/gm)].map(([, path]) => path);
	expect(made.clean ? [] : made.conflicts.map(({path}) => path)).toEqual([
		...new Set(paths(bare.stdout)),
	]);
	vi.unstubAllEnvs();
});
