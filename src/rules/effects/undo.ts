import {nextToTurn, undoOf} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import {isClearingDue} from './clearing.ts';

/** Why a session that published nothing can't undo anything. */
export const nothingMerged = 'Nothing was merged in this session.';

/** Returns in words why the last move of the target can't be turned round now, or nothing when it can. */
export const whyNotUndo = (state: State): string | undefined => {
	const {session, merge} = state;
	if (!session || nextToTurn(state) === undefined) {
		return nothingMerged;
	}

	// In a session that has ended nobody else clears up; an undo does it first.
	const isCleared = session.ended !== undefined || !isClearingDue(state);
	return merge.phase === 'intended' || undoOf(state) !== undefined || !isCleared
		? `${session.target} is being moved.`
		: undefined;
};
