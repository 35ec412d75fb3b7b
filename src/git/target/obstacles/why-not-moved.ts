import type {Failure} from '../../../lib/failure.ts';
import {type GitResult, gitsWords, killedCode} from '../../process/result.ts';
import {tipOf} from '../../repository/branch.ts';
import type {Attempt} from '../move-target.ts';
import {noRoomFor} from './no-room-for.ts';
import type {Obstacle} from './obstacle.ts';
import {overlookedObstacle} from './overlooked.ts';
import {tipObstacle} from './tip-obstacle.ts';
import {unwritableHint} from './unwritable-hint.ts';

/** How a git ended that did not do what it was to do; with a failure, it was not let come to its end. */
type Ending = {readonly result: GitResult; readonly failure: Failure | undefined};

/**
Returns why a move came to nothing although nothing stood against it a moment before; nothing if the branch has arrived all the same.

What is in the way is looked for again, but with a git that hung: that would hang again.
*/
export const whyNotMoved = async (
	{repository, step, checkout, look}: Attempt,
	{result, failure}: Ending,
): Promise<Obstacle | undefined> => {
	const tip = await tipOf(repository, step.target);
	if (tip === step.to) {
		return undefined;
	}

	const found = failure === undefined ? (tipObstacle(step, tip) ?? (await look())) : undefined;
	return (
		found ??
		(await noRoomFor(repository, step, result, checkout)) ??
		(checkout && (await overlookedObstacle(checkout, step, result))) ??
		asItEnded(step.target, {result, failure})
	);
};

const asItEnded = (target: string, {result, failure}: Ending): Obstacle => {
	if (failure === undefined && result.code !== killedCode) {
		return {
			cause: 'other',
			message: `Git refused to move ${target}: ${gitsWords(result)}`,
			hint: unwritableHint(result) ?? 'See what git says about your checkout: git status',
		};
	}

	const {message = `Git was killed while it moved ${target}.`, hint = 'Try again.'} = failure ?? {};
	return {cause: 'other', message: `${message} Everything is as it was before.`, hint};
};
