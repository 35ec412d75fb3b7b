import {realpathSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {sha256} from '../../lib/text/sha256.ts';
import {type GitResult, gitsWords, lineOf, linesOf} from '../process/result.ts';
import {type GitLocation, sealed} from '../process/sealed.ts';
import {user} from '../process/user.ts';
import {requireGitVersion} from '../process/version.ts';
import {type PlainRepository, plainRepository} from './plain-repository.ts';

/** The person's repository and the worktree in which this process was started. */
export type Repository = PlainRepository & {
	/** Folder name and 12 hex digits: the same in all its worktrees, safe as a file name. */
	readonly id: string;
	readonly objects: string;
	readonly objectFormat: string;
};

/**
Finds the repository that a folder belongs to.

@throws `Failure`: `missing` without a repository or a commit in it, `refused` for a bare one.
*/
export const openRepository = async (cwd: string): Promise<Repository> => {
	const plain = plainRepository(cwd);
	if (plain !== undefined) {
		const {commonDir} = plain;
		const objects = join(commonDir, 'objects');
		return {...plain, id: idOf(commonDir), objects, objectFormat: 'sha1'};
	}

	// One process for all facts, since each command starts with this.
	const result = await user(cwd, ['rev-parse', '--path-format=absolute', ...facts], {
		expect: 'any',
	});
	if (result.code !== 0) {
		throw await whyNotOpened(cwd, result);
	}

	const [root, gitDir, commonDir, objects, objectFormat, head, ...more] =
		lineOf(result).split('\n');
	if (!(root && gitDir && commonDir && objects && objectFormat && head) || more.length > 0) {
		// A git before 2.31 prints the unknown option as a line of its own.
		await requireGitVersion();
		throw new Failure('refused', 'The path of this repository holds a line break.', {
			hint: 'Rename the folder.',
		});
	}

	return {
		id: idOf(commonDir),
		root,
		gitDir,
		commonDir,
		objects,
		objectFormat,
	};
};

const facts = [
	'--show-toplevel',
	'--git-dir',
	'--git-common-dir',
	'--git-path',
	'objects',
	'--show-object-format',
	'HEAD^{commit}',
];

export const gitLocationOf = (repository: Repository): GitLocation => ({gitDir: repository.gitDir});

/**
Resolves a name to a commit, or `undefined` when there is none.

@throws `Failure` when git fails otherwise
*/
export const resolveCommit = async (
	{gitDir}: Pick<Repository, 'gitDir'>,
	name: string,
): Promise<string | undefined> => {
	const result = await sealed(
		{gitDir},
		['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
		{expect: [0, 1]},
	);
	return result.code === 0 ? lineOf(result) : undefined;
};

/** Returns the reason why git could not print all facts of a repository. */
const whyNotOpened = async (cwd: string, failed: GitResult): Promise<Failure> => {
	await requireGitVersion();
	const words = ['rev-parse', '--is-bare-repository', '--is-inside-work-tree'];
	const result = await user(cwd, words, {expect: 'any'});
	if (result.code !== 0) {
		return notOpened(result);
	}

	const [isBare, isInWorkTree] = lineOf(result).split('\n');
	if (isInWorkTree !== 'true') {
		return isBare === 'true'
			? new Failure('refused', 'This repository is bare: it has no checkout to work from.', {
					hint: 'Start in a clone or in a worktree of it: git worktree add ../work',
				})
			: new Failure('refused', 'This is the inside of a git folder, not a checkout.', {
					hint: 'Go to the folder that holds your files.',
				});
	}

	const head = await user(cwd, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
		expect: 'any',
	});
	return head.code === 1
		? new Failure('missing', 'This repository has no commit yet, and agents start from one.', {
				hint: 'Make a first commit: git commit --allow-empty -m "First commit"',
			})
		: notOpened(failed);
};

export const idOf = (commonDir: string): string => {
	const path = realpathSync.native(commonDir);
	const folder = basename(path) === '.git' ? dirname(path) : path;
	const name = basename(folder)
		.replace(/\.git$/, '')
		.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
		.replace(/^[.-]+/, '')
		.slice(0, 40);
	const digest = sha256(path).slice(0, 12);
	return `${name || 'repository'}-${digest}`;
};

export type Identity = {
	readonly name: string;
	readonly email: string;
};

/**
Returns the identity that git would use as the author of the person's commits.

@throws `Failure` of kind `missing` if none is configured; git's guess from the host name doesn't count
*/
export const identity = async (repository: Repository): Promise<Identity> => {
	const result = await user(
		repository.root,
		['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'],
		{expect: 'any'},
	);
	const match = /^(?<name>.*) <(?<email>[^<>]*)> \d+ [+-]\d+$/.exec(lineOf(result));
	const {name, email} = match?.groups ?? {};
	if (result.code !== 0 || !name || !email) {
		throw new Failure('missing', 'Git does not know your name and e-mail address.', {
			hint: 'git config --global user.name "Your Name" && git config --global user.email you@example.org',
		});
	}

	return {name, email};
};

/** Returns the checked out branch, or `undefined` on a detached HEAD. */
export const currentBranch = async (repository: Repository): Promise<string | undefined> => {
	const result = await sealed(gitLocationOf(repository), ['symbolic-ref', '--quiet', 'HEAD'], {
		expect: [0, 1],
	});
	const ref = lineOf(result);
	return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
};

/** Lists the names of the branches. */
export const branchesOf = async (repository: Repository): Promise<readonly string[]> => {
	const args = ['for-each-ref', '--format=%(refname)', refOf('')];
	const refs = linesOf(await sealed(gitLocationOf(repository), args));
	return refs.map(ref => ref.slice(refOf('').length));
};

/** Returns the commit of a branch, or `undefined` when there is none. */
export const tipOf = (repository: Repository, branch: string): Promise<string | undefined> =>
	resolveCommit({gitDir: repository.commonDir}, refOf(branch));

export const refOf = (branch: string): string => `refs/heads/${branch}`;

/** Resolves a branch that is a symbolic ref to the branch that it names. */
export const goalOf = async (repository: Repository, branch: string): Promise<string> => {
	const location = {gitDir: repository.commonDir};
	const result = await sealed(location, ['symbolic-ref', '--quiet', refOf(branch)], {
		expect: 'any',
	});
	const ref = lineOf(result);
	return result.code === 0 && ref.startsWith(refOf('')) ? ref.slice(refOf('').length) : branch;
};

/** Returns the failure for a repository that git could not open. */
export const notOpened = (result: GitResult): Failure =>
	new Failure('missing', `No git repository could be opened here: ${gitsWords(result)}`, {
		hint: hintFor(result),
	});

/** Returns a hint; for another owner's repository, git's own command that trusts it. */
const hintFor = ({stderr}: GitResult): string => {
	const [command] = /git config --global --add safe\.directory .+/.exec(stderr) ?? [];
	return command === undefined
		? 'Go to a git repository, or make one: git init'
		: `If you trust its owner: ${command}`;
};
