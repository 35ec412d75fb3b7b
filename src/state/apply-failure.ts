import type {Event} from '../events/event.ts';
import {movesCutOff} from './apply-landing.ts';
import {publishRefused} from './apply-merge.ts';
import {withConflict} from './items/conflict.ts';
import {agentOf, itemOf} from './select.ts';
import {type Attempt, type State, withAgent, withItem} from './state.ts';
import {whyUntold, withoutThem} from './untold.ts';

type Failed = Extract<Event, {kind: 'effect.failed'}>;

/** How often an effect is tried before it counts as failed for good. */
const maximumTries = 3;

/** Returns whether an effect that failed so is not tried again. */
export const isExhausted = (attempt: Attempt): boolean =>
	attempt.final || attempt.count >= maximumTries;

/** An effect failed: it is counted, and a person hears of it where no move between states tells. */
export const effectFailed = (state: State, event: Failed): State => {
	const attempt: Attempt = {
		count: (state.attempts[event.effect]?.count ?? 0) + 1,
		at: event.at,
		message: event.message,
		final: event.final,
	};
	const [what, subject = ''] = event.effect.split(':');
	// Nobody knows how far a move came that ended in an error.
	const begun = what === 'publish' ? movesCutOff(state) : state;
	const counted = {...begun, attempts: {...state.attempts, [event.effect]: attempt}};
	if (!isExhausted(attempt)) {
		return counted;
	}

	switch (what) {
		case 'start':
		case 'rework':
			return againFailed(counted, subject, event);
		case 'open-resolution':
			return openingFailed(counted, subject, event);
		case 'clear-up':
			return clearingFailed(counted, event);
		case 'build':
		case 'verify':
		case 'publish':
			return mergeFailed(counted, what, event);
		default:
			return counted;
	}
};

/** An agent that had finished can't be made to work again: its work stands as it was, so its item opens again and says why, and what it was not told. */
const againFailed = (state: State, id: string, {effect, message}: Failed): State => {
	const agent = agentOf(state, id);
	if (agent?.state !== 'COMPLETE' && agent?.state !== 'FAILED') {
		return state;
	}

	const reset = withAgent(withoutAttempt(state, effect), id, ({rework: _, ...agent}) =>
		withoutThem(agent),
	);
	const why = whyUntold(agent, message);
	return withItem(
		reset,
		agent.state === 'COMPLETE'
			? {kind: 'review', agent: id, trouble: why}
			: {kind: 'failure', agent: id, why},
	);
};

const openingFailed = (state: State, id: string, {effect, message}: Failed): State => {
	const reset = withoutAttempt(state, effect);
	const item = itemOf(reset, id);
	return item?.kind === 'conflict'
		? withConflict(reset, {...item, manual: {phase: 'none'}, trouble: message})
		: reset;
};

/** It is told like anything else that stands against it, and looked at again when that is. */
const clearingFailed = (state: State, {effect, message, hint}: Failed): State => ({
	...withoutAttempt(state, effect),
	notCleared: {message, hint: hint ?? 'See the supervisor’s log.'},
});

const mergeFailed = (
	state: State,
	what: 'build' | 'verify' | 'publish',
	{message, hint}: Failed,
): State => {
	const {merge} = state;
	if (what === 'build' && (merge.phase === 'none' || merge.phase === 'published')) {
		const why = `the accepted work could not be put together: ${[message, ...(hint === undefined ? [] : [hint])].join(' ')}`;
		return withItem({...state, merge: {phase: 'failed'}}, {kind: 'verify', commit: '', why});
	}

	if (what === 'verify' && merge.phase === 'built') {
		const {built} = merge;
		const verified = {ok: false, commands: [], log: null};
		const why = `it could not be run: ${message}`;
		return withItem(
			{...state, merge: {phase: 'verified', built, verified}},
			{kind: 'verify', commit: built.commit, why},
		);
	}

	return publishRefused(state, {message, hint: hint ?? 'approve it again to try it once more'});
};

/** It may be tried again, as often as before. */
const withoutAttempt = (state: State, effect: string): State => {
	const {[effect]: _, ...attempts} = state.attempts;
	return {...state, attempts};
};
