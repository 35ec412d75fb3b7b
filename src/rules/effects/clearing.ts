import {undoOf} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import {type Effect, keyed} from './effect.ts';

/**
Returns whether what a move of the target left in the person's checkout, cut off before its end, has to be taken back now.

Whoever publishes or undoes something clears it up first, and an approval that is asked for again may finish the move. In any other case nobody would: the result was rejected, the target moved on, or the session is being stopped.
*/
export const isClearingDue = (state: State): boolean =>
	state.interrupted.length > 0 &&
	state.notCleared === null &&
	!isMoving(state) &&
	!isAwaited(state);

/** Returns what is to be done about it. */
export const clearings = (state: State): readonly Effect[] =>
	isClearingDue(state) ? [keyed({do: 'clear-up'})] : [];

const isMoving = (state: State): boolean =>
	state.merge.phase === 'approved' ||
	state.merge.phase === 'intended' ||
	undoOf(state) !== undefined;

const isAwaited = ({merge, session, interrupted}: State): boolean =>
	merge.phase === 'verified' &&
	session?.stopping === undefined &&
	interrupted.some(({to}) => to === merge.built.commit);
