import {shortOid} from '../../../lib/text/short-oid.ts';
import type {Step} from '../move-checkout.ts';
import type {Obstacle} from './obstacle.ts';

/** Returns why a branch can't be moved from where its tip is, if it is gone or elsewhere than the move begins. */
export const tipObstacle = (
	{target, from}: Step,
	tip: string | undefined,
): Obstacle | undefined => {
	if (tip === undefined) {
		return {
			cause: 'no-target',
			message: `There is no branch ${target}.`,
			hint: `Make it again: git branch ${target} ${from}`,
		};
	}

	return tip === from
		? undefined
		: {
				cause: 'target-moved',
				message: `${target} has moved since the merge was made: it is at ${shortOid(tip)}, not at ${shortOid(from)}.`,
				hint: 'Merge again, on top of where it is now.',
			};
};
