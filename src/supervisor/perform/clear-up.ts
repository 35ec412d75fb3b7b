import type {BodyOf} from '../../events/event.ts';
import type {Patience} from '../../git/process/patience.ts';
import {clearUp as clearUpGit} from '../../git/target/interrupted/recover.ts';
import {namePaths} from '../show/name-paths.ts';
import type {UndoContext} from '../undo/undo-offer.ts';

/** Takes back what moves of the target left in the person's checkout that were cut off, or tells why it can't be. */
export const clearUp = async (
	{repository, store}: Pick<UndoContext, 'repository' | 'store'>,
	patience: Patience,
): Promise<BodyOf<'machine.interrupted'>> => {
	const obstacle = await clearUpGit(repository, {store, patience});
	if (obstacle === undefined) {
		return {kind: 'machine.interrupted', left: null};
	}

	const {message, hint, paths = []} = obstacle;
	return {
		kind: 'machine.interrupted',
		left: {message: namePaths(message, paths), hint},
	};
};
