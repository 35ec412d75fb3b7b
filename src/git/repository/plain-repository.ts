import {lstatSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {attempt} from '../../lib/failure.ts';

/** Git's answers about a repository with the default layout of `git init` and `git worktree add`. */
export type PlainRepository = {
	/** Top of the worktree. */
	readonly root: string;
	/** Git dir of the worktree; differs from `commonDir` in a linked one. */
	readonly gitDir: string;
	readonly commonDir: string;
};

/**
Finds the repository of a folder without starting git, which would double the time of a short command.

Returns `undefined` if git's answer might differ; the caller then asks git. Each check here is for a reason for that, such as another owner, a setting that moves the worktree, or a branch without a commit.
*/
export const plainRepository = (cwd: string): PlainRepository | undefined =>
	attempt(() => {
		const root = isPlainPath(cwd) ? topOf(cwd, statSync(cwd).dev) : undefined;
		return root === undefined ? undefined : opened(root);
	});

/** Returns whether git prints a path unchanged: it resolves links, may normalize other characters, and prints one line per path. */
const isPlainPath = (path: string): boolean =>
	/^\/[\x20-\x7e]+$/.test(path) && realpathSync(path) === path;

const topOf = (folder: string, device: number): string | undefined => {
	// A bare repository, or a folder inside a git dir, contains no `.git`.
	const isOther = statSync(folder).dev !== device || isThere(join(folder, 'HEAD'));
	if (isOther || isThere(join(folder, '.git'))) {
		return isOther ? undefined : folder;
	}

	return dirname(folder) === folder ? undefined : topOf(dirname(folder), device);
};

const opened = (root: string): PlainRepository | undefined => {
	const entry = join(root, '.git');
	const gitDir = lstatSync(entry).isDirectory() ? entry : linkedDir(entry);
	if (gitDir === undefined || !isPlainPath(gitDir)) {
		return undefined;
	}

	const commonDir = gitDir === entry ? gitDir : dirname(dirname(gitDir));
	const isOwn = [root, entry, gitDir, commonDir].every(
		path => lstatSync(path).uid === process.geteuid?.(),
	);
	const isWhole = ['objects', 'refs'].every(name => lstatSync(join(commonDir, name)).isDirectory());
	return isOwn &&
		isWhole &&
		isPlain(readText(join(commonDir, 'config'))) &&
		hasCommit(gitDir, commonDir)
		? {root, gitDir, commonDir}
		: undefined;
};

/** Returns the git dir of a worktree, which is below `worktrees/` of its repository; `undefined` for a submodule and for a moved worktree. */
const linkedDir = (entry: string): string | undefined => {
	const [, gitDir] = /^gitdir: (\/.+\/worktrees\/[^/]+)\n$/.exec(readText(entry)) ?? [];
	const isLinked =
		gitDir !== undefined &&
		lstatSync(gitDir).isDirectory() &&
		readText(join(gitDir, 'commondir')) === '../..\n' &&
		!isThere(join(gitDir, 'config.worktree'));
	return isLinked ? gitDir : undefined;
};

/** Returns whether a config consists of simple lines, without any that define the kind of repository. */
const isPlain = (config: string): boolean =>
	/^\s*repositoryformatversion = 0$/m.test(config) &&
	config
		.split('\n')
		.every(line => /^\s*([\w-]+ = [\w.:/@+*-]*|\[[a-z]+( "[\w./-]+")?\])?$/.test(line)) &&
	!/extensions|include|worktree|bare = (?!false$)/im.test(config);

const hasCommit = (gitDir: string, commonDir: string): boolean => {
	const [, ref] = /^ref: (refs\/heads\/[\w./-]+)\n$/.exec(readText(join(gitDir, 'HEAD'))) ?? [];
	const commit = ref === undefined ? undefined : attempt(() => readText(join(commonDir, ref)));
	return (
		ref !== undefined &&
		(commit === undefined
			? readText(join(commonDir, 'packed-refs'))
					.split('\n')
					.some(line => line.slice(40) === ` ${ref}`)
			: /^[\da-f]{40}\n$/.test(commit))
	);
};

const isThere = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false}) !== undefined;

const readText = (path: string): string => readFileSync(path, 'utf8');
