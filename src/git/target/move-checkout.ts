import {mkdir, readdir, rename, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {isThere} from '../../lib/files/reading.ts';
import {firstOf} from '../../lib/text/words.ts';
import {type GitResult, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import type {Checkout} from '../repository/checkouts.ts';
import {type Repository, refOf} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {type Change, changes, newOf, oldOf} from '../tree/changes.ts';
import {entryOnDisk, isFileAt} from '../tree/disk-path.ts';
import {foldedName} from '../tree/name-clashes.ts';
import {copyIndexOf, differing, folderOf} from './begun-move.ts';
import {switchedAway} from './obstacles.ts';

/** A move of a branch and its checkout from one commit to another, forward or back. */
export type CheckoutStep = {
	readonly store: Store;
	readonly target: string;
	readonly from: string;
	readonly to: string;
	readonly what: 'merge' | 'undo';
	/** True to create a missing branch at `from` first. */
	readonly creates?: boolean;
};

/** Prepares a move in its folder, before anything is touched: a copy of the index, and a separate HEAD if possible. */
export const prepareCheckout = async (
	repository: Repository,
	checkout: Checkout,
	from: string,
): Promise<void> => {
	await copyIndexOf(checkout, join(folderOf(repository), 'index'));
	await makeOwnHead(repository, checkout.gitDir, from);
};

/**
Moves the files of a checkout, then its index, then its branch, with the files of `prepareCheckout`.

It holds `index.lock`, and the branch moves last, so it is never ahead of its files. After any exit code but 0 and `refusedCode` the caller reverts the move.
*/
export const moveCheckout = async (
	repository: Repository,
	checkout: Checkout,
	step: CheckoutStep,
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

/** Moves files and the copy of the index; git refuses to overwrite an edit. Only commands that move HEAD can preserve ignored files. */
const moveFiles = async (
	repository: Repository,
	{root}: Checkout,
	{from, to}: CheckoutStep,
): Promise<GitResult> => {
	const folder = folderOf(repository);
	if (await isThere(join(folder, 'HEAD'))) {
		// A split index would leave a part in the folder.
		const where = [`--git-dir=${folder}`, `--work-tree=${root}`, '-c', 'core.splitIndex=false'];
		const command = ['checkout', '--quiet', '--detach', '--no-overwrite-ignore', to];
		return user(root, [...where, ...command], {expect: 'any'});
	}

	return readTree(root, join(folder, 'index'), {from, to});
};

/** Moves files without a separate HEAD; the caller looked for ignored files just before. */
const readTree = async (
	root: string,
	index: string,
	{from, to}: Pick<CheckoutStep, 'from' | 'to'>,
): Promise<GitResult> => {
	await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
	return user(root, ['read-tree', '-m', '-u', from, to], {index, expect: 'any'});
};

/** Exit code of a checkout that git refuses before it touches anything; an aborted one has another code. */
export const refusedCode = 1;

const brokenOffCode = 128;

/** Returns why a checkout didn't follow: git only warns about a file that it can't write or remove, and exits with 0; and the person may have switched branches meanwhile. */
const whyNotFollow = async (
	checkout: Checkout,
	step: CheckoutStep,
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

/** Moves a branch by compare-and-swap. */
export const moveRef = (
	root: string,
	{target, from, to, what}: Omit<CheckoutStep, 'store'>,
): Promise<GitResult> =>
	user(root, ['update-ref', '-m', `delegate-tui: ${what}`, refOf(target), to, from], {
		expect: 'any',
	});

/** Makes the folder of a move the git dir of a linked worktree with a detached HEAD, so that `git checkout` moves this HEAD and the checkout's files. Not possible with reftable. */
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

/** Returns the files of a checkout's git dir that git needs to move its files: settings, sparse patterns, shared indexes, and folders of filters. */
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

/** Git takes these from the common git dir. `logs/` is left out too: a reflog of our temporary HEAD has no use. */
const commonFolders = ['objects', 'refs', 'logs', 'info', 'hooks', 'branches', 'worktrees'];

/** Returns the changes whose files are still old although the index is new. A file with any other content was edited by a person since. */
const findUnmoved = async (
	{store, from, to}: Pick<CheckoutStep, 'store' | 'from' | 'to'>,
	{root}: Checkout,
	index: string,
): Promise<readonly Change[]> => {
	const changed = await changes(store, from, to);
	await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
	const args = ['diff-files', '-z', '--name-only', '--ignore-submodules'];
	const {stdout} = await user(root, args, {index});
	const differs = new Set(splitNul(stdout));
	// On a case-insensitive file system a removed file may exist under another name.
	const kept = new Set(changed.flatMap(change => (newOf(change) ? [foldedName(change.path)] : [])));
	const suspects: Change[] = [];
	for (const change of changed) {
		const isStill =
			change.status === 'D'
				? !kept.has(foldedName(change.path)) && (await isFileAt(root, change.path))
				: differs.has(change.path);
		if (isStill) {
			suspects.push(change);
		}
	}

	return withOldContent(store, root, suspects);
};

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
