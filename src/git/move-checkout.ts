import {refOf} from './branch.ts';
import type {Checkout} from './checkouts.ts';
import {type GitResult, killedCode} from './result.ts';
import {user} from './user.ts';

type Step = {
	readonly target: string;
	readonly from: string;
	readonly to: string;
	readonly way: 'forward' | 'back';
};

/** Moves a checkout, its index and its branch, in that order; git refuses where it would overwrite an edit. */
export const moveCheckout = (checkout: Checkout, step: Step): Promise<GitResult> =>
	step.way === 'forward' ? fastForward(checkout, step) : goBack(checkout, step);

/** Moves a branch that stands at `from`, and at nothing else, to `to`. */
export const moveRef = (root: string, {target, from, to, way}: Step): Promise<GitResult> => {
	const message = `delegate-tui: ${way === 'forward' ? 'fast-forward' : 'undo'}`;
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

No command that goes back spares ignored files; they were looked for just before. When somebody committed in between, the files follow the branch again; when the second step was killed, nobody knows yet where the branch is.
*/
const goBack = async ({root}: Checkout, step: Step): Promise<GitResult> => {
	const {from, to} = step;
	const moved = await moveFiles(root, from, to);
	if (moved.code !== 0) {
		return moved;
	}

	const result = await moveRef(root, step);
	if (result.code !== 0 && result.code !== killedCode) {
		await moveFiles(root, to, from);
	}

	return result;
};

const moveFiles = async (root: string, from: string, to: string): Promise<GitResult> => {
	await user(root, ['update-index', '-q', '--refresh'], {expect: 'any'});
	return user(root, ['read-tree', '-m', '-u', from, to], {expect: 'any'});
};
