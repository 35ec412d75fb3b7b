import {execFileSync} from 'node:child_process';
import {utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {git, makeRepository, write} from '../../helpers/repository.ts';
import {changed, type Recipe, repositoryOf, shellAgent} from './recipe.ts';

/** Names that were trouble for somebody, each for a reason of its own. */
const oddNames: readonly string[] = [
	'with space.txt',
	'"quoted".txt',
	"it's.txt",
	'line\nbreak.txt',
	'tab\there.txt',
	'escape\u001b[31m.txt',
	'-option.txt',
	':(top)magic.txt',
	'back\\slash.txt',
	'ümläut.txt',
	'u\u0308mla\u0308ut.txt',
	'\u202egnihton.txt',
];

const odd = Object.fromEntries(oddNames.map(name => [name, 'odd\n']));

const touchAll = (names: readonly string[]): string =>
	names.map(name => `printf 'new\\n' > './${name.replaceAll("'", "'\\''")}'`).join('\n');

const lfs = {
	'.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
};

const withLfs = (settings: Readonly<Record<string, string>>): string =>
	changed(
		root => {
			write(root, {'big.bin': 'big\n'});
			git(root, 'add', 'big.bin');
			git(root, 'commit', '--quiet', '--message', 'big');
			for (const [name, value] of Object.entries(settings)) {
				git(root, 'config', `filter.lfs.${name}`, value);
			}

			if (settings.smudge === 'sed s/^x//') {
				git(root, 'rm', '--quiet', '--cached', 'big.bin');
				git(root, 'add', 'big.bin');
				git(root, 'commit', '--quiet', '--message', 'by filter');
			}
		},
		{...lfs},
	);

/** Repositories with contents that git or the system treats in a way of its own. */
export const contents: readonly Recipe[] = [
	{name: 'twelve odd names', make: () => repositoryOf(odd)},
	{
		name: 'twelve odd names that an agent brings',
		make: () => repositoryOf(),
		agent: () => shellAgent(touchAll(oddNames.filter(name => !name.includes('\\')))),
		merged: oddNames.filter(name => !name.includes('\\')),
	},
	{
		name: 'names that differ only in their case',
		make: () => repositoryOf({'Read.me': 'one\n', 'read.me': 'two\n'}),
	},
	{
		name: 'a submodule',
		make: () => {
			const inner = makeRepository({'inner.txt': 'inner\n'});
			return changed(root => {
				git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
				git(root, 'commit', '--quiet', '--message', 'submodule');
				write(root, {'sub/inner.txt': 'edited\n'});
			});
		},
	},
	{
		name: 'a repository inside that nobody tracks',
		make: () =>
			changed(root => {
				git(root, 'init', '--quiet', 'nested');
				write(root, {'nested/file.txt': 'nested\n'});
			}),
	},
	{
		name: 'an agent that makes a repository inside',
		make: () => repositoryOf(),
		agent: () =>
			shellAgent(
				'mkdir in && cd in && git init -q && echo x > x.txt && git add . && git -c user.name=a -c user.email=a@b commit -qm x',
			),
		merged: ['in/x.txt'],
	},
	{
		name: 'line endings that git converts',
		make: () =>
			changed(
				root => {
					git(root, 'config', 'core.autocrlf', 'true');
					write(root, {'text.txt': 'one\r\ntwo\r\n'});
				},
				{'text.txt': 'one\ntwo\n', '.gitattributes': '* text=auto\n'},
			),
	},
	{
		name: 'large files by a filter',
		make: () => withLfs({clean: 'sed s/^/x/', smudge: 'sed s/^x//', required: 'true'}),
	},
	{
		name: 'large files that an agent brings, by a filter',
		make: () => withLfs({clean: 'sed s/^/x/', smudge: 'sed s/^x//', required: 'true'}),
		agent: () => shellAgent('echo new > new.bin; echo edited > big.bin'),
		merged: ['big.bin', 'new.bin'],
	},
	{name: 'large files without their filter', make: () => withLfs({})},
	{
		name: 'large files whose filter is required and missing',
		make: () => {
			const filter = {clean: 'no-such-program', smudge: 'no-such-program', required: 'true'};
			const root = withLfs(filter);
			// Git asks the filter only about a file that may have changed since it was staged.
			const later = new Date('2100-01-01');
			utimesSync(join(root, 'big.bin'), later, later);
			return root;
		},
		hindered: {
			cause: /no-such-program/,
			clear: root => git(root, 'config', '--remove-section', 'filter.lfs'),
		},
	},
	{
		name: 'a pipe and a link that leads nowhere',
		make: () =>
			changed(root => {
				execFileSync('mkfifo', [join(root, 'pipe')]);
				execFileSync('ln', ['-s', 'nowhere', join(root, 'link')]);
			}),
	},
	{
		name: 'an agent that leaves a pipe',
		make: () => repositoryOf(),
		agent: () => shellAgent('mkdir -p src && mkfifo src/pipe && echo work > src/work.txt'),
	},
	{
		name: 'a huge file',
		make: () =>
			changed(root => {
				writeFileSync(join(root, 'huge.dat'), Buffer.alloc(64 * 2 ** 20, 'x'));
			}),
	},
	{
		name: 'an agent that writes a huge file',
		make: () => repositoryOf(),
		agent: () => shellAgent('head -c 20000000 /dev/urandom > huge.dat'),
		merged: ['huge.dat'],
	},
	{
		name: 'an agent whose worktree has a damaged git folder',
		make: () => repositoryOf(),
		agent: () => shellAgent('rm -f .git; mkdir -p src; echo work > src/work.txt'),
	},
	{
		name: 'an agent that commits, rebases and leaves a stash',
		make: () => repositoryOf(),
		agent: () =>
			shellAgent(
				'mkdir -p src; echo x > src/work.txt; git add -A; git commit -qm x; echo y > readme.md; git stash -q; echo work > src/work.txt; git checkout -q --detach',
			),
	},
];
