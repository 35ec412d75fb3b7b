import {mkdir, readdir, rename, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {isThere} from '../../lib/files/reading.ts';
import {firstOf} from '../../lib/text/words.ts';
import {copyIndex} from '../index-entries.ts';
import {type GitResult, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import type {Checkout} from '../repository/checkouts.ts';
import {type Repository, refOf} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {type Change, changes, newOf, oldOf} from '../tree/changes.ts';
import {entryOnDisk, isFileAt} from '../tree/disk-path.ts';
import {differing, folderOf} from './begun-move.ts';
import {switchedAway} from './obstacles.ts';

/** A move of a branch from one commit to another, and of the checkout that holds it; forward and back are the same. */
export type Step = {
	readonly store: Store;
	readonly target: string;
	readonly from: string;
	readonly to: string;
	/** What makes it, in a word. */
	readonly what: 'merge' | 'undo';
};

/** Makes what a move works with in its folder, while nothing is touched yet: a copy of the index, and a HEAD where there can be one. */
export const prepareCheckout = async (
	repository: Repository,
	{gitDir}: Checkout,
	from: string,
): Promise<void> => {
	await copyIndex(join(gitDir, 'index'), join(folderOf(repository), 'index'));
	await makeOwnHead(repository, gitDir, from);
};

/**
Moves the files of a checkout, then its index, then its branch, by way of what was prepared in the folder of its begun move.

The index is held meanwhile (`begun-move.ts`), so nobody sees the one without the other, and the branch never runs ahead: one that follows has been looked for, and nobody else's is taken along. Whoever gets another result than success brings back what was moved, unless it was refused.
*/
export const moveCheckout = async (
	repository: Repository,
	checkout: Checkout,
	step: Step,
): Promise<GitResult> => {
	const index = join(folderOf(repository), 'index');
	const moved = await moveFiles(repository, checkout, step);
	if (moved.code !== 0) {
		return moved;
	}

	const why = await whyNotFollow(checkout, step, index);
	if (why !== undefined) {
		return {...moved, code: brokenOffCode, stderr: `error: ${why}\n`};
	}

	await rename(index, join(checkout.gitDir, 'index'));
	return moveRef(checkout.root, step);
};

/**
Moves files, and a copy of the index in the folder; git refuses where it would overwrite an edit.

Of all commands that can go anywhere, only a change of what HEAD stands for can spare ignored files.
*/
const moveFiles = async (
	repository: Repository,
	{root}: Checkout,
	{from, to}: Step,
): Promise<GitResult> => {
	const folder = folderOf(repository);
	if (await isThere(join(folder, 'HEAD'))) {
		// An index in parts would leave a part in the folder.
		const where = [`--git-dir=${folder}`, `--work-tree=${root}`, '-c', 'core.splitIndex=false'];
		const command = ['checkout', '--quiet', '--detach', '--no-overwrite-ignore', to];
		return user(root, [...where, ...command], {expect: 'any'});
	}

	return readTree(root, join(folder, 'index'), {from, to});
};

/** Reads the tree where there can be no HEAD to change; ignored files were looked for just before. */
const readTree = async (
	root: string,
	index: string,
	{from, to}: Pick<Step, 'from' | 'to'>,
): Promise<GitResult> => {
	await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
	return user(root, ['read-tree', '-m', '-u', from, to], {index, expect: 'any'});
};

/** The code of a checkout that git refuses, before it has touched anything; one that it breaks off has another. */
export const refusedCode = 1;

const brokenOffCode = 128;

/** Git warns of a file that it can't write or remove, goes on, and calls that done; and a person may have switched to another branch meanwhile. */
const whyNotFollow = async (
	checkout: Checkout,
	step: Step,
	index: string,
): Promise<string | undefined> => {
	const unmoved = await findUnmoved(step, checkout, index);
	return unmoved.length === 0
		? (await switchedAway({checkout, target: step.target}))?.message
		: `it left ${firstOf(
				unmoved.map(({path}) => path),
				1,
			)} as before`;
};

/** Moves a branch that stands at `from`, and at nothing else, to `to`. */
export const moveRef = (
	root: string,
	{target, from, to, what}: Omit<Step, 'store'>,
): Promise<GitResult> =>
	user(root, ['update-ref', '-m', `delegate-tui: ${what}`, refOf(target), to, from], {
		expect: 'any',
	});

/**
Makes the folder of a begun move a git folder for a checkout with a HEAD of its own, detached at a commit.

It is like that of a linked worktree, so a command that moves HEAD moves this one, and the checkout's files. There is none where the repository doesn't keep its refs in files.
*/
const makeOwnHead = async (
	repository: Repository,
	gitDir: string,
	commit: string,
): Promise<void> => {
	const {commonDir} = repository;
	const folder = folderOf(repository);
	if (await isThere(join(commonDir, 'reftable'))) {
		return;
	}

	await writeFile(join(folder, 'HEAD'), `${commit}\n`);
	await writeFile(join(folder, 'commondir'), `${commonDir}\n`);
	for (const path of await ownFiles(gitDir, folder)) {
		await mkdir(dirname(join(folder, path)), {recursive: true});
		await symlink(join(gitDir, path), join(folder, path));
	}
};

/** What a checkout has for itself and git needs to move its files: its settings, what it leaves out, the rest of an index in parts, and the folders that filters keep there. */
const ownFiles = async (gitDir: string, folder: string): Promise<readonly string[]> => {
	const entries = await readdir(gitDir, {withFileTypes: true});
	const linked = entries.filter(
		entry =>
			entry.name.startsWith('sharedindex.') ||
			(entry.isDirectory() &&
				!commonFolders.includes(entry.name) &&
				join(gitDir, entry.name) !== folder),
	);
	const maybe = ['config.worktree', 'info/sparse-checkout'];
	const there = await Promise.all(maybe.map(path => isThere(join(gitDir, path))));
	return [...linked.map(({name}) => name), ...maybe.filter((_, position) => there[position])];
};

/** Git itself looks for these where all checkouts have theirs; a log of a HEAD that is lent is nobody's. */
const commonFolders = ['objects', 'refs', 'logs', 'info', 'hooks', 'branches', 'worktrees'];

/**
Returns the changes of a move that a checkout doesn't have although the index says so: their files are what they were before.

A file that is anything else was changed since, by a person, and that is theirs. One that git takes for what it was and for what it was to be has nothing missing.
*/
const findUnmoved = async (
	{store, from, to}: Pick<Step, 'store' | 'from' | 'to'>,
	{root}: Checkout,
	index: string,
): Promise<readonly Change[]> => {
	const changed = await changes(store, from, to);
	await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
	const args = ['diff-files', '-z', '--name-only', '--ignore-submodules'];
	const {stdout} = await user(root, args, {index});
	const differs = new Set(splitNul(stdout));
	const kept = new Set(changed.filter(change => newOf(change) !== undefined).map(nameOf));
	const suspects: Change[] = [];
	for (const change of changed) {
		const isStill =
			change.status === 'D'
				? !kept.has(nameOf(change)) && (await isFileAt(root, change.path))
				: differs.has(change.path);
		if (isStill) {
			suspects.push(change);
		}
	}

	return withOldContent(store, root, suspects);
};

/** Where names are folded, a file that was removed under one name may be there under another. */
const nameOf = ({path}: Change): string => path.normalize('NFC').toLowerCase();

const withOldContent = async (
	store: Store,
	root: string,
	suspects: readonly Change[],
): Promise<readonly Change[]> => {
	if (suspects.length === 0) {
		return [];
	}

	const differsFromOld = await differing(store, root, suspects, oldOf);
	const found: Change[] = [];
	for (const change of suspects) {
		const isOld =
			change.status === 'A'
				? (await entryOnDisk(root, change.path)) === undefined
				: !differsFromOld.has(change.path);
		found.push(...(isOld ? [change] : []));
	}

	return found;
};
