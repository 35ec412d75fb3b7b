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

/** Records the intent to undo or redo the last move of the target, before the target is touched. */
export const undoIntended = (
	state: State,
	{from, commit, at}: EventOf<'merge.intended'>,
	merge: string,
): State => withPublication(state, merge, one => ({...one, intent: {from, to: commit, since: at}}));

/** Records a published result; undone merges can no longer be redone. */
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

/** Records that an undone merge was redone; it stays the same merge, even if the target is now at another commit. */
export const broughtBack = (state: State, {from, commit}: EventOf<'merge.published'>): State => {
	const merge = turningTo(state, commit);
	return merge?.phase === 'undone'
		? voidMerge(turned(state, merge, 'standing', {from, to: commit}), ['target'])
		: state;
};

/** Records an undo; while the session is open, the work is reviewed again. */
export const mergeUndone = (state: State, {commit, from, to}: EventOf<'merge.undone'>): State => {
	const publication = publicationOf(state, commit);
	if (publication === undefined) {
		return state;
	}

	const undone = turned(state, publication, 'undone', {from, to});
	return state.session?.ended ? undone : reviewedAgain(undone, publication.built.agents);
};

/** Reverses a publication; the commit that it returns to may be the person's. */
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

/** Withdraws the acceptance of agents' work; the moves that are now due open the reviews. The next result was built on the undone one, so it is void. */
const reviewedAgain = (state: State, agents: readonly string[]): State =>
	agents.reduce<State>(
		(open, id) => withAgent(open, id, (agent): Agent => ({...agent, verdict: {kind: 'none'}})),
		voidMerge(state, ['target', ...agents]),
	);

/** Clears the intent of an undo or redo that was refused. */
export const undoRefused = (state: State): State => ({
	...state,
	publications: state.publications.map(one => omit(one, 'intent')),
});

/** Marks moves of the target that an earlier supervisor left unfinished; their remains are cleared first. */
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
Records a refused move. An interrupted one left remains; after a lock or changed settings the checkout was not examined; other refusals follow a cleanup.

An unknown cause of another version may be any of these, so the supervisor looks for remains.
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
			// Later changes in the checkout are the person's own, even if they look like remains.
			return {...state, interrupted: []};
	}
};

/** Records that remains of interrupted moves were cleared, or why they can't be. */
export const clearedUp = (state: State, {left}: EventOf<'machine.interrupted'>): State => ({
	...state,
	interrupted: left === null ? [] : state.interrupted,
	notCleared: left,
});

const commitsOf = ({commit, commits}: Publication['built']): readonly string[] =>
	commits?.map(each => each.commit) ?? [commit];

/** @param ours Our commits that the target got; none if it returns to one that may be the person's. */
const arrived = (state: State, tip: string, ours: readonly string[]): State => ({
	...state,
	session: state.session && {
		...state.session,
		...{tip, start: tip},
		ours: [...state.session.ours, ...ours],
	},
	interrupted: [],
});
