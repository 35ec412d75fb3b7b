import {mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {git, script, temporaryFolder, write} from '../../helpers/repository.ts';
import {changed, type Recipe, repositoryOf, withBranch} from './recipe.ts';

/** Clones with these words into a folder of its own, on `main`. */
const cloned = (...words: readonly string[]): string => {
	const origin = changed(root => {
		write(root, {'readme.md': 'second\n'});
		git(root, 'commit', '--quiet', '--all', '--message', 'second');
	});
	const root = join(temporaryFolder(), 'clone');
	git(origin, 'clone', '--quiet', ...words, `file://${origin}`, root);
	return root;
};

const withLinked = (change: (linked: string, root: string) => void): string =>
	changed(root => {
		const linked = join(temporaryFolder(), 'linked');
		git(root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
		change(linked, root);
	});

/** Adds a repository to another one as a submodule, and returns the submodule's folder. */
const submoduleOf = (inner: string): string => {
	const outer = repositoryOf();
	git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
	git(outer, 'commit', '--quiet', '--message', 'submodule');
	return join(outer, 'sub');
};

/** Repositories and checkouts of odd shapes. */
export const checkouts: readonly Recipe[] = [
	{name: 'a shallow clone', make: () => cloned('--depth=1')},
	{name: 'a clone without blobs of its own', make: () => cloned('--filter=blob:none')},
	{
		name: 'a clone that shares the objects of another',
		make: () => {
			const root = join(temporaryFolder(), 'shared');
			git(repositoryOf(), 'clone', '--quiet', '--shared', '.', root);
			return root;
		},
	},
	{
		name: 'a sparse checkout',
		make: () =>
			changed(root => git(root, 'sparse-checkout', 'set', '--cone', 'src'), {
				'src/here.txt': 'here\n',
				'left/out.txt': 'out\n',
			}),
	},
	{
		name: 'objects named by SHA-256',
		make: () => {
			const root = temporaryFolder();
			git(root, 'init', '--quiet', '--object-format=sha256', '--initial-branch=main');
			write(root, {'.delegate-tui.yaml': 'docs: false\n'});
			git(root, 'add', '--all');
			git(root, 'commit', '--quiet', '--message', 'base');
			return root;
		},
	},
	{
		name: 'a linked worktree',
		make: () => {
			const linked = join(temporaryFolder(), 'linked');
			git(repositoryOf(), 'worktree', 'add', '--quiet', '-b', 'other', linked);
			return linked;
		},
		target: 'other',
	},
	{
		name: 'a target that is checked out nowhere',
		make: () => changed(root => git(root, 'branch', 'aside')),
		target: 'aside',
	},
	{name: 'a target in another worktree', make: () => withLinked(() => {}), target: 'other'},
	{
		name: 'a locked worktree beside it',
		make: () => withLinked((linked, root) => git(root, 'worktree', 'lock', linked)),
	},
	{
		name: 'a worktree beside it that was moved by hand',
		make: () => withLinked(linked => renameSync(linked, `${linked}-moved`)),
	},
	{
		name: 'a worktree beside it that was removed by hand',
		make: () => withLinked(linked => rmSync(linked, {recursive: true})),
	},
	{
		name: 'a submodule itself',
		make: () => submoduleOf(repositoryOf()),
	},
	{
		name: 'a linked worktree of a submodule, the target in the submodule',
		make: () => {
			const linked = join(temporaryFolder(), 'linked');
			git(submoduleOf(repositoryOf()), 'worktree', 'add', '--quiet', '-b', 'other', linked);
			return linked;
		},
		target: 'main',
	},
	{
		name: 'a git folder that lies elsewhere',
		make: () =>
			changed(root => {
				git(root, 'init', '--quiet', `--separate-git-dir=${join(temporaryFolder(), 'apart.git')}`);
			}),
	},
	{
		name: 'files that lie elsewhere, by core.worktree',
		make: () => {
			const gitDir = join(repositoryOf(), '.git');
			const root = join(temporaryFolder(), 'files');
			mkdirSync(root);
			git(gitDir, '--git-dir=.', 'config', 'core.worktree', root);
			write(root, {'.git': `gitdir: ${gitDir}\n`});
			git(root, 'reset', '--quiet', '--hard');
			return root;
		},
	},
	{
		name: 'a folder with spaces, quotes and umlauts',
		make: () => {
			const root = join(temporaryFolder(), 'my "pröject" #1\'s $HOME');
			renameSync(repositoryOf(), root);
			return root;
		},
	},
	{
		name: 'a folder below the top',
		make: () => join(repositoryOf({'inner/deep/readme.md': 'hello\n'}), 'inner/deep'),
	},
	{
		name: 'settings for each worktree',
		make: () =>
			withLinked((_, root) => {
				git(root, 'config', 'extensions.worktreeConfig', 'true');
				git(root, 'config', '--worktree', 'user.name', 'Ada at home');
			}),
	},
	{
		name: 'a shell that leads git elsewhere',
		make: () => repositoryOf(),
		env: () => {
			const other = repositoryOf();
			return {GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: 'elsewhere'};
		},
	},
	{name: 'a shell without a home', make: () => repositoryOf(), env: () => ({HOME: ''})},
	{
		name: 'a folder behind a link',
		make: () => {
			const link = join(temporaryFolder(), 'link');
			symlinkSync(repositoryOf(), link);
			return link;
		},
	},
	{
		name: 'branches where ours would be: agent, agent/AGT-001, delegate',
		make: () =>
			changed(root => {
				for (const branch of ['agent/AGT-001', 'delegate', 'refs/delegate/x']) {
					git(root, 'branch', branch);
				}
			}),
	},
	{
		name: 'a tag and a file of the target’s name',
		make: () =>
			changed(
				root => {
					git(root, 'tag', 'main', 'HEAD~0');
					withBranch(root, 'heads/main-like', {'x.txt': 'x\n'});
				},
				{main: 'a file\n'},
			),
	},
	{
		name: 'packed refs, replaced and grafted commits',
		make: () =>
			changed(root => {
				git(root, 'commit', '--quiet', '--allow-empty', '--message', 'second');
				git(root, 'replace', '--graft', 'HEAD');
				git(root, 'pack-refs', '--all', '--prune');
				git(root, 'gc', '--quiet');
			}),
	},
	{
		name: 'settings that would run something',
		make: () =>
			changed(root => {
				const canary = join(root, '..', 'canary');
				const run = join(root, '..', 'run.sh');
				script(run, `echo "$0" >> '${canary}'\ncat`);
				for (const setting of ['core.pager', 'core.editor', 'gpg.program', 'diff.external']) {
					git(root, 'config', setting, run);
				}

				git(root, 'config', 'core.fsmonitor', 'false; exit 1');
			}),
		canary: '../canary',
	},
	{
		name: 'hooks of every kind',
		make: () =>
			changed(root => {
				const canary = join(root, '..', 'canary');
				git(root, 'config', 'hook.canary.command', `echo configured >> '${canary}'; exit 1`);
				for (const hook of [
					'pre-commit',
					'post-commit',
					'post-checkout',
					'post-merge',
					'pre-merge-commit',
					'post-rewrite',
					'post-index-change',
					'reference-transaction',
				]) {
					script(join(root, '.git/hooks', hook), `echo ${hook} >> '${canary}'\nexit 1`);
					// Older gits than 2.54 pass over it.
					git(root, 'config', '--add', 'hook.canary.event', hook);
				}
			}),
		canary: '../canary',
	},
];
