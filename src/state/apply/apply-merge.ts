import type {EventOf} from '../../events/event.ts';
import {defined, omit} from '../../lib/values.ts';
import type {ItemOf} from '../item.ts';
import {failedCommand, withApproval} from '../merge/checked-result.ts';
import {reopenable} from '../merge/members.ts';
import {withCheckedTree} from '../merge/parts.ts';
import {turningTo, voidMerge} from '../merge/publication.ts';
import {type State, withItem, withoutItems, withReplaced} from '../state.ts';
import {broughtBack, moveRefused, undoRefused, workPublished} from './apply-publication.ts';

/** Records a move of the target. It voids the merge, except one that is being published, which moves the target itself. */
export const targetMoved = (state: State, event: EventOf<'target.moved'>): State => {
	const seen: State = {...state, session: state.session && {...state.session, tip: event.to}};
	return voidMerge(seen, ['target']);
};

export const conflictFound = (state: State, event: EventOf<'conflict.found'>): State => {
	const conflict = omit(event, 'kind', 'seq', 'at', 'reopens');
	const open = state.items.find(({id}) => id === event.reopens);
	if (open?.kind === 'conflict') {
		const left = omit({breaks: undefined, ...open}, 'breaks');
		return withReplaced(state, {...left, ...conflict} as ItemOf<'conflict'>);
	}

	const before = reopenable(state.resolutions).find(({id}) => id === event.reopens);
	if (before === undefined) {
		return withItem(state, {kind: 'conflict', ...conflict, manual: {phase: 'none'}});
	}

	const reopened: ItemOf<'conflict'> = {
		kind: 'conflict',
		...conflict,
		...omit(before, 'key', 'paths', 'owners'),
		again: true,
	};
	return {...state, items: [...state.items, reopened]};
};

/** Closes a conflict that the build no longer finds, even if a resolution was under way. */
export const conflictGone = (state: State, event: EventOf<'conflict.gone'>): State =>
	withoutItems(state, ({id}) => id === event.conflict);

export const mergeBuilt = (state: State, event: EventOf<'merge.built'>): State => {
	const {seq, at, ...built} = omit(event, 'kind');
	return {...state, merge: {phase: 'built', built, due: {seq, at}}};
};

export const verifyEnded = (state: State, event: EventOf<'verify.ended'>): State => {
	const {merge} = state;
	if (merge.phase !== 'built' || merge.built.commit !== event.commit) {
		return state;
	}

	const {seq, ok, tree, commands, log, places} = event;
	const outcome = {ok, commands, log, ...defined({places})};
	const parts = ok ? {} : {parts: {since: seq, runs: []}};
	const seen =
		commands.length === 0 ? state : withCheckedTree(state, {tree, ok, ...defined({places})});
	const verified: State = {
		...seen,
		merge: {phase: 'verified', built: merge.built, verified: {...outcome, ...parts}},
	};
	return ok
		? withApproval(verified, merge.built)
		: withItem(verified, {kind: 'verify', commit: event.commit, why: failedCommand(event)});
};

export const mergeIntended = (state: State, {at}: EventOf<'merge.intended'>): State =>
	state.merge.phase === 'approved'
		? {...state, merge: {...state.merge, phase: 'intended', since: at}}
		: state;

/** Publishes a result: decisions about it are used up, those about other work stay. */
export const mergePublished = (state: State, event: EventOf<'merge.published'>): State => {
	const {merge} = state;
	if (merge.phase === 'intended' && merge.built.commit === event.commit) {
		return workPublished(
			voidMerge({...state, merge: {phase: 'none'}}, ['target', ...merge.built.agents]),
			merge,
			event,
		);
	}

	return broughtBack(state, event);
};

export const mergeRefused = (before: State, event: EventOf<'merge.refused'>): State => {
	const state = moveRefused(before, event);
	const isOutrun = event.cause === 'target-moved' || event.cause === 'settings-changed';
	return turningTo(state, event.commit) !== undefined
		? undoRefused(state)
		: isOutrun && state.merge.phase === 'intended'
			? outrun(state, event.cause === 'target-moved' ? ['target'] : [])
			: publishRefused(state, event);
};

/** Voids a result whose target or git settings have changed, so that another one is built. */
const outrun = (state: State, changed: readonly string[]): State =>
	voidMerge({...state, merge: {phase: 'none'}}, changed);

/**
Asks a person again, with the reason: the approval counts for one try only.

If the target has moved meanwhile, there is nothing left to approve: `targetMoved` kept this merge only
for the duration of the try.
*/
export const publishRefused = (
	state: State,
	{message, hint}: {readonly message: string; readonly hint: string},
): State => {
	if (state.merge.phase !== 'intended') {
		return state;
	}

	const {built, verified} = state.merge;
	return state.session?.tip === built.tip
		? withApproval({...state, merge: {phase: 'verified', built, verified}}, built, {message, hint})
		: outrun(state, ['target']);
};
