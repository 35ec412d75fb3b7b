import {realpath, stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {isThere} from '../../lib/files/reading.ts';
import {defined} from '../../lib/values.ts';
import {type GitResult, joinNul, lineOf, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import {entryOnDisk} from '../tree/disk-path.ts';
import type {Repository} from './repository.ts';

export type Checkout = {
	readonly root: string;
	readonly gitDir: string;
};

export type Worktree = {
	/** Its folder; the git dir if git doesn't know the folder of the main worktree. */
	readonly root: string;
	/** Full ref name; absent on a detached HEAD. */
	readonly branch?: string;
	readonly head?: string;
	readonly isBare: boolean;
};

/**
Lists all worktrees, the main one first.

Git prints records of lines such as `worktree <path>` and `branch <ref>`. It runs in the common git dir, which exists even if a worktree is removed.
*/
export const worktrees = async (repository: Repository): Promise<readonly Worktree[]> => {
	const {stdout} = await user(repository.commonDir, [
		...['--git-dir=.', 'worktree', 'list', '--porcelain', '-z'],
	]);
	const records = splitNul(stdout).join('\0').split('\0\0');
	const listed = records.map(record => worktreeOf(record.split('\0')));
	return Promise.all(
		listed.map(async (worktree, position) =>
			position === 0 ? {...worktree, root: await mainRoot(repository, worktree.root)} : worktree,
		),
	);
};

const worktreeOf = (lines: readonly string[]): Worktree => {
	const branch = valueAfter(lines, 'branch ');
	const head = valueAfter(lines, 'HEAD ');
	const [first = ''] = lines;
	return {
		root: first.slice('worktree '.length),
		isBare: lines.includes('bare'),
		...defined({branch, head}),
	};
};

/** Returns the root of the main worktree. Git guesses it from the git dir's path, which is wrong for a submodule or a separate git dir. */
const mainRoot = async ({root, gitDir, commonDir}: Repository, listed: string): Promise<string> => {
	if (gitDir === commonDir) {
		return root;
	}

	const setting = await user(commonDir, ['--git-dir=.', 'config', '--get', 'core.worktree'], {
		expect: [0, 1],
	});
	return setting.code === 0 ? resolve(commonDir, lineOf(setting)) : listed;
};

const valueAfter = (lines: readonly string[], key: string): string | undefined =>
	lines.find(line => line.startsWith(key))?.slice(key.length);

export const gitDirOf = async (root: string): Promise<string> =>
	lineOf(await user(root, ['rev-parse', '--absolute-git-dir']));

/** Returns the checkout at a worktree's folder; `undefined` if none of this repository is there. Another one may be: a copied repository also lists the worktrees of the original. */
export const checkoutAt = async (
	{commonDir}: Pick<Repository, 'commonDir'>,
	root: string,
): Promise<Checkout | undefined> => {
	if ((await entryOnDisk(root, '.git')) === undefined) {
		return undefined;
	}

	const asked = ['--path-format=absolute', '--git-dir', '--git-common-dir', '--show-toplevel'];
	const found = await user(root, ['rev-parse', ...asked], {expect: 'any'});
	const [gitDir = '', common = '', ...top] = lineOf(found).split('\n');
	return found.code === 0 &&
		(await isSame(top.join('\n'), root)) &&
		(await isSame(common, commonDir))
		? {root, gitDir: await realpath(gitDir)}
		: undefined;
};

/** Returns whether two paths lead to one folder; on macOS git spells accents in its own way. */
const isSame = async (one: string, other: string): Promise<boolean> => {
	const [a, b] = await Promise.all([one, other].map(path => stat(path, {bigint: true})));
	return a?.dev === b?.dev && a?.ino === b?.ino;
};

/**
Returns the repository at its worktree, or at another one if that was removed; at the common git dir if none is left.

A linked worktree may be removed while a session that started in it continues.
*/
export const survivingCheckout = async (repository: Repository): Promise<Repository> => {
	const {root, gitDir, commonDir} = repository;
	if ((await entryOnDisk(root, '.git')) && (await isThere(gitDir))) {
		return repository;
	}

	if (!(await isThere(commonDir))) {
		return repository;
	}

	for (const other of await worktrees(repository)) {
		const checkout = await checkoutAt(repository, other.root);
		if (checkout !== undefined) {
			return {...repository, ...checkout};
		}
	}

	return {...repository, root: commonDir, gitDir: commonDir};
};

/** Runs git; pathspec magic must be on. */
type Run = (args: readonly string[], input: Uint8Array) => Promise<GitResult>;

/** Returns the ignored ones among paths; `by` the rules alone, or as git would add them: tracked files aren't ignored then. */
export const ignoredAmong = async (
	run: Run,
	paths: readonly string[],
	by: 'rules' | 'index' = 'rules',
): Promise<ReadonlySet<string>> => {
	// `check-ignore` ignores `GIT_LITERAL_PATHSPECS`; the prefix keeps `:(top)x` from being magic.
	const input = joinNul(paths.map(path => `./${path}`));
	const options = by === 'rules' ? ['--no-index'] : [];
	const {stdout} = await run(['check-ignore', '-z', '--stdin', ...options], input);
	return new Set(splitNul(stdout).map(path => path.slice(2)));
};
