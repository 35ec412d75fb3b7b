import {rename} from 'node:fs/promises';
import {join} from 'node:path';
import {isThere} from '../../lib/files/is-there.ts';
import {firstOf} from '../../lib/text/enumerated.ts';
import {copyIndex} from '../index/copy-index.ts';
import type {GitResult} from '../process/result.ts';
import {user} from '../process/user.ts';
import {refOf} from '../repository/branch.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {folderOf} from './begun-move.ts';
import {switchedAway} from './obstacles/switched-away.ts';
import {makeOwnHead} from './own-head.ts';
import {findUnmoved} from './unmoved.ts';

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

/** Where there can be no HEAD to change (`own-head.ts`); ignored files were looked for just before. */
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
		? (await switchedAway(checkout, step.target))?.message
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
