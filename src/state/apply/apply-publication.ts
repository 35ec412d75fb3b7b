import type {EventOf} from '../../events/event.ts';
import {isRefusedCause} from '../../events/refused-cause.ts';
import {omit} from '../../lib/omit.ts';
import type {Agent} from '../agent/agent.ts';
import {type Intent, isUndoTo, type Publication, undoOf} from '../merge/publication.ts';
import {voidMerge} from '../merge/void-merge.ts';
import {type State, withAgent} from '../state.ts';

/** A person's word to turn the last move of the target round, before the target is touched. */
export const undoIntended = (state: State, {from, commit, at}: EventOf<'merge.intended'>): State =>
	state.publication.phase === 'none'
		? state
		: {...state, publication: {...state.publication, intent: {from, to: commit, since: at}}};

/** Work was published. A publication that had nothing to bring is no merge to take back, so the one before it stays that. */
export const workPublished = (
	state: State,
	{from, commit, agents}: EventOf<'merge.published'>,
): State => ({
	...arrived(state, commit),
	publication:
		from === commit
			? publicationBelow(state.publication, agents)
			: {phase: 'standing', commit, agents, last: {from, to: commit}},
});

/** Work that was taken back, and of which nothing is missing now, need not be brought back any more. */
const publicationBelow = (publication: Publication, agents: readonly string[]): Publication =>
	publication.phase === 'undone' && publication.agents.some(id => agents.includes(id))
		? {phase: 'none'}
		: publication;

/** A merge that was taken back is there again, as was intended; it is the same merge, wherever the target stands now. */
export const broughtBack = (state: State, {from, commit}: EventOf<'merge.published'>): State => {
	const {publication} = state;
	if (!isUndoTo(publication, commit)) {
		return state;
	}

	const {commit: merge, agents} = publication;
	const again: State = {
		...arrived(state, commit),
		publication: {phase: 'standing', commit: merge, agents, last: {from, to: commit}},
	};
	return voidMerge(again, ['target']);
};

/** The publication was taken back; in a session that lasts its work is open for review again. */
export const mergeUndone = (state: State, {from, to}: EventOf<'merge.undone'>): State => {
	const {publication} = state;
	if (publication.phase === 'none') {
		return state;
	}

	const {commit, agents} = publication;
	const undone: State = {
		...arrived(state, to),
		publication: {phase: 'undone', commit, agents, last: {from, to}},
	};
	return state.session?.ended ? undone : reviewedAgain(undone, agents);
};

/** Nobody's acceptance counts any more; the moves that are due now open the reviews. The next result stood on what went. */
const reviewedAgain = (state: State, agents: readonly string[]): State =>
	agents.reduce<State>(
		(open, id) => withAgent(open, id, (agent): Agent => ({...agent, verdict: {kind: 'none'}})),
		voidMerge({...state, merge: {phase: 'none'}}, ['target', ...agents]),
	);

/** The try to turn the last move round came to nothing. */
export const undoRefused = (state: State): State =>
	state.publication.phase === 'none'
		? state
		: {...state, publication: omit(state.publication, 'intent')};

/** A move that a supervisor finds begun was cut off with the one before it; what it left is cleared up first. */
export const movesInterrupted = (state: State): State => {
	const {merge} = state;
	const undo = undoOf(state.publication);
	const begun = [
		...(merge.phase === 'intended'
			? [{from: merge.built.tip, to: merge.built.commit, since: merge.since}]
			: []),
		...(undo === undefined ? [] : [undo]),
	];
	const isKnown = ({from, to}: Intent) =>
		state.interrupted.some(other => other.from === from && other.to === to);
	return {
		...state,
		interrupted: [...state.interrupted, ...begun.filter(intent => !isKnown(intent))],
	};
};

/**
Where a move was cut off, what it left is there still; a lock or changed settings may have kept that from being looked at, and other refusals come after it was cleared up.

Of a cause that only another version knows nobody can tell which it is, so what is left is looked for.
*/
export const moveRefused = (state: State, {cause}: EventOf<'merge.refused'>): State => {
	if (!isRefusedCause(cause)) {
		return state;
	}

	switch (cause) {
		case 'interrupted':
			return movesInterrupted(state);
		case 'locked':
		case 'settings-changed':
			return state;
		case 'dirty-checkout':
		case 'untracked-files':
		case 'ignored-files':
		case 'target-moved':
		case 'no-target':
		case 'in-progress':
		case 'no-room':
		case 'other':
			// What a person does from now on is theirs, whatever it looks like.
			return {...state, interrupted: []};
	}
};

/** What such moves left was taken back, or it was found why it can't be. */
export const clearedUp = (state: State, {left}: EventOf<'machine.interrupted'>): State => ({
	...state,
	interrupted: left === null ? [] : state.interrupted,
	notCleared: left,
});

const arrived = (state: State, tip: string): State => ({
	...state,
	session: state.session && {...state.session, tip},
	interrupted: [],
});
