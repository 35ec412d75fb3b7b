import {lineOf} from '../../process/result.ts';
import {user} from '../../process/user.ts';
import {refOf} from '../../repository/branch.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import type {Obstacle} from './obstacle.ts';

/** Looks whether a checkout is still on the branch that it was found on; all that was looked at took its time, and the person had theirs. */
export const switchedAway = async (
	{root}: Checkout,
	target: string,
): Promise<Obstacle | undefined> => {
	const head = await user(root, ['symbolic-ref', '--quiet', 'HEAD'], {expect: [0, 1]});
	return lineOf(head) === refOf(target)
		? undefined
		: {
				cause: 'other',
				message: `${root} was switched away from ${target} just now.`,
				hint: 'Try again.',
			};
};
