import type {EventOf} from '../../events/event.ts';
import {isRefusedCause} from '../../events/reply.ts';
import {omit} from '../../lib/values.ts';
import type {Agent} from '../agent/agent.ts';
import type {Intent, Publication, TargetStep} from '../merge/merge.ts';
import {
	publicationOf,
	turningTo,
	undoOf,
	voidMerge,
	withPublication,
} from '../merge/publication.ts';
import {type State, withAgent} from '../state.ts';

/** A person's word to turn the last move of the target round, before the target is touched. */
export const undoIntended = (
	state: State,
	{from, commit, at}: EventOf<'merge.intended'>,
	merge: string,
): State => withPublication(state, merge, one => ({...one, intent: {from, to: commit, since: at}}));

/** An approved result was published; it takes the place of what was taken back before and could be brought back. */
export const workPublished = (
	state: State,
	{built, verified}: Pick<Publication, 'built' | 'verified'>,
	{from, commit, agents}: EventOf<'merge.published'>,
): State => ({
	...arrived(state, commit, from === commit ? [] : commitsOf(built)),
	publications: [
		...state.publications.filter(
			({phase, ...before}) =>
				phase === 'standing' ||
				(from === commit && !before.built.agents.some(id => agents.includes(id))),
		),
		{phase: 'standing', built, verified, last: {from, to: commit}},
	],
});

/** A merge that was taken back is there again, as was intended; it is the same merge, wherever the target stands now. */
export const broughtBack = (state: State, {from, commit}: EventOf<'merge.published'>): State => {
	const merge = turningTo(state, commit);
	return merge?.phase === 'undone'
		? voidMerge(turned(state, merge, 'standing', {from, to: commit}), ['target'])
		: state;
};

/** The publication was taken back; in a session that lasts its work is open for review again. */
export const mergeUndone = (state: State, {commit, from, to}: EventOf<'merge.undone'>): State => {
	const publication = publicationOf(state, commit);
	if (publication === undefined) {
		return state;
	}

	const undone = turned(state, publication, 'undone', {from, to});
	return state.session?.ended ? undone : reviewedAgain(undone, publication.built.agents);
};

/** Turns a publication round; the commit that it goes back to may be the person's. */
const turned = (
	state: State,
	{built, last: before}: Publication,
	phase: Publication['phase'],
	last: TargetStep,
): State =>
	withPublication(
		arrived(state, last.to, last.to === before.from ? [] : [last.to]),
		built.commit,
		one => ({...omit(one, 'intent'), phase, last}),
	);

/** Nobody's acceptance counts any more; the moves that are due now open the reviews. The next result stood on what went. */
const reviewedAgain = (state: State, agents: readonly string[]): State =>
	agents.reduce<State>(
		(open, id) => withAgent(open, id, (agent): Agent => ({...agent, verdict: {kind: 'none'}})),
		voidMerge(state, ['target', ...agents]),
	);

/** The try to turn the last move round came to nothing. */
export const undoRefused = (state: State): State => ({
	...state,
	publications: state.publications.map(one => omit(one, 'intent')),
});

/** A move that a supervisor finds begun was cut off with the one before it; what it left is cleared up first. */
export const movesInterrupted = (state: State): State => {
	const {merge} = state;
	const undo = undoOf(state);
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
Records a refused move. An interrupted one left something; behind a lock or changed settings nothing was examined; other refusals come after a cleanup.

A cause that only another version knows may be any of these, so leftovers are looked for.
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

/** Records that leftovers of interrupted moves were cleaned up, or why they can't be. */
export const clearedUp = (state: State, {left}: EventOf<'machine.interrupted'>): State => ({
	...state,
	interrupted: left === null ? [] : state.interrupted,
	notCleared: left,
});

const commitsOf = ({commit, commits}: Publication['built']): readonly string[] =>
	commits?.map(each => each.commit) ?? [commit];

/** @param ours The commits of ours that came; none where the target goes back to one that may be the person's. */
const arrived = (state: State, tip: string, ours: readonly string[]): State => ({
	...state,
	session: state.session && {
		...state.session,
		...{tip, start: tip},
		ours: [...state.session.ours, ...ours],
	},
	interrupted: [],
});
