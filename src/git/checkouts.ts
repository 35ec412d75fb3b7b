import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../lib/if-there.ts';
import {entryOnDisk} from './disk-path.ts';
import {splitNul} from './nul.ts';
import type {Repository} from './repository.ts';
import {lineOf} from './result.ts';
import {user} from './user.ts';

/** A place where the person has a branch checked out. */
export type Checkout = {
	readonly root: string;
	readonly gitDir: string;
};

/**
Where a branch is held: nowhere, in a checkout, in one whose folder is gone, or by a rebase that will write it when it ends.
*/
export type Holder =
	| {readonly kind: 'none'}
	| {readonly kind: 'checkout'; readonly checkout: Checkout}
	| {readonly kind: 'gone'; readonly root: string}
	| {readonly kind: 'rebase'; readonly root: string};

/** Finds who holds a branch (a full ref name), in the main checkout and in every linked worktree. */
export const holderOf = async (repository: Repository, ref: string): Promise<Holder> => {
	for (const {root, branch, isBare} of await worktrees(repository)) {
		if (isBare) {
			continue;
		}

		const isGone = (await entryOnDisk(root, '.git')) === undefined;
		if (isGone && branch === ref) {
			return {kind: 'gone', root};
		}

		const gitDir = isGone ? undefined : await gitDirOf(root);
		if (gitDir !== undefined && branch === ref) {
			return {kind: 'checkout', checkout: {root, gitDir}};
		}

		if (gitDir !== undefined && (await isRebasing(gitDir, ref))) {
			return {kind: 'rebase', root};
		}
	}

	return {kind: 'none'};
};

/** A checkout as git lists it. */
type Worktree = {
	readonly root: string;
	/** Full name of the branch it is on; absent on a detached HEAD. */
	readonly branch?: string;
	/** The commit it is at. */
	readonly head?: string;
	readonly isBare: boolean;
};

/**
Returns all checkouts of a repository.

Git prints records of lines such as `worktree <path>` and `branch <ref>`, an empty line after each.
*/
export const worktrees = async ({root}: Repository): Promise<Worktree[]> => {
	const {stdout} = await user(root, ['worktree', 'list', '--porcelain', '-z']);
	const records = splitNul(stdout).join('\0').split('\0\0');
	return records
		.map(record => record.split('\0'))
		.map(lines => {
			const branch = valueAfter(lines, 'branch ');
			const head = valueAfter(lines, 'HEAD ');
			const [first = ''] = lines;
			return {
				root: first.slice('worktree '.length),
				isBare: lines.includes('bare'),
				...(branch === undefined ? {} : {branch}),
				...(head === undefined ? {} : {head}),
			};
		});
};

const valueAfter = (lines: readonly string[], key: string): string | undefined =>
	lines.find(line => line.startsWith(key))?.slice(key.length);

const gitDirOf = async (root: string): Promise<string> =>
	lineOf(await user(root, ['rev-parse', '--absolute-git-dir']));

const isRebasing = async (gitDir: string, ref: string): Promise<boolean> => {
	const names = await Promise.all(
		['rebase-merge', 'rebase-apply'].map(folder => firstLine(join(gitDir, folder, 'head-name'))),
	);
	return names.includes(ref);
};

const firstLine = async (path: string): Promise<string | undefined> =>
	(await ifThere(readFile(path, 'utf8')))?.split('\n')[0];
