import type {GitResult} from '../process/result.ts';
import type {Checkout} from '../repository/checkouts.ts';
import {findUnmoved} from './interrupted/unmoved.ts';
import {moveBranchBack, moveCheckout, type Step} from './move-checkout.ts';

/**
Moves a checkout and its branch, and the branch back where files stayed behind that git has gone on without.

Then it counts as failed, with its checkout still to be brought back: that is what a move is that was killed before its branch, so whoever clears up after one does it, now or after a crash. Where the branch has gone on meanwhile, nothing goes back.
*/
export const moveWhole = async (checkout: Checkout, step: Step): Promise<GitResult> => {
	const result = await moveCheckout(checkout, step);
	const unmoved = result.code === 0 ? await findUnmoved(step.store, checkout, step) : [];
	const [first, ...more] = unmoved.map(({path}) => path);
	return first !== undefined && (await moveBranchBack(checkout.root, step)).code === 0
		? {...result, code: 1, stderr: `error: ${sentence(first, more.length)}\n`}
		: result;
};

const sentence = (path: string, more: number): string =>
	`it left ${path}${more === 0 ? '' : ` and ${more} more`} as before`;
