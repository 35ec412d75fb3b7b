import {join} from 'node:path';
import {type GitResult, killedCode} from '../process/result.ts';
import {user} from '../process/user.ts';
import {refOf} from '../repository/branch.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Store} from '../store/store.ts';
import {withOwnHead} from './own-head.ts';

/** A move of a branch from one commit to another, and of the checkout that holds it. */
export type Step = {
	readonly store: Store;
	readonly target: string;
	readonly from: string;
	readonly to: string;
	readonly way: 'forward' | 'back';
};

/** Moves a checkout, its index and its branch, in that order; git refuses where it would overwrite an edit. */
export const moveCheckout = (checkout: Checkout, step: Step): Promise<GitResult> =>
	step.way === 'forward' ? fastForward(checkout, step) : goBack(checkout, step);

/** Moves a branch back that went without some of its files, and nothing else; git refuses where it stands elsewhere by now. */
export const moveBranchBack = (
	root: string,
	{target, from, to}: Pick<Step, 'target' | 'from' | 'to'>,
): Promise<GitResult> => moveRef(root, {target, from: to, to: from, way: 'return'});

/** What the reflog calls a move; one that went without some of its files returns. */
const words = {forward: 'fast-forward', back: 'undo', return: 'not all files could be moved'};

/** Moves a branch that stands at `from`, and at nothing else, to `to`. */
export const moveRef = (
	root: string,
	{target, from, to, way}: Omit<Step, 'store' | 'way'> & {readonly way: keyof typeof words},
): Promise<GitResult> => {
	const message = `delegate-tui: ${words[way]}`;
	return user(root, ['update-ref', '-m', message, refOf(target), to, from], {expect: 'any'});
};

/**
Settings such as `merge.autoStash` or `branch.<name>.mergeOptions` would make it more than a fast-forward, so they are overruled.

`--no-overwrite-ignore` is what protects ignored files, and git heeds it for a fast-forward only.
*/
const fastForward = ({root}: Checkout, {target, to}: Step): Promise<GitResult> =>
	user(
		root,
		[
			'-c',
			`branch.${target}.mergeOptions=`,
			'merge',
			'--ff-only',
			'--no-overwrite-ignore',
			'--no-autostash',
			'--no-squash',
			'--no-verify-signatures',
			'--no-stat',
			'--quiet',
			to,
		],
		{expect: 'any'},
	);

/**
What `git reset --keep` does, in two steps, since it would move the branch wherever it stands.

When somebody committed in between, the files follow the branch again; when the second step was killed, nobody knows yet where the branch is.
*/
const goBack = async (checkout: Checkout, step: Step): Promise<GitResult> => {
	const {from, to} = step;
	const moved = await moveFiles(checkout, step);
	if (moved.code !== 0) {
		return moved;
	}

	const result = await moveRef(checkout.root, step);
	if (result.code !== 0 && result.code !== killedCode) {
		await moveFiles(checkout, {...step, from: to, to: from});
	}

	return result;
};

/**
Moves files and index, and no ref of the person's.

Of all commands that go anywhere but forward, only a change of what HEAD stands for can spare ignored files.
*/
export const moveFiles = (
	checkout: Checkout,
	{store, from, to}: Pick<Step, 'store' | 'from' | 'to'>,
): Promise<GitResult> =>
	withOwnHead(store, checkout, from, gitDir =>
		gitDir === undefined
			? readTree(checkout, from, to)
			: user(
					checkout.root,
					[
						`--git-dir=${gitDir}`,
						`--work-tree=${checkout.root}`,
						// One in parts would leave a part in the lent folder.
						'-c',
						'core.splitIndex=false',
						'checkout',
						'--quiet',
						'--detach',
						'--no-overwrite-ignore',
						to,
					],
					{index: join(checkout.gitDir, 'index'), expect: 'any'},
				),
	);

/** Ignored files were looked for just before. */
const readTree = async ({root}: Checkout, from: string, to: string): Promise<GitResult> => {
	await user(root, ['update-index', '-q', '--refresh'], {expect: 'any'});
	return user(root, ['read-tree', '-m', '-u', from, to], {expect: 'any'});
};
