import type {EventOf} from '../../events/event.ts';
import {defined, omit} from '../../lib/values.ts';
import {withoutRework} from '../agent/awaiting.ts';
import {checkFailed} from '../agent/compared.ts';
import {bringBackFailed} from '../granted.ts';
import {commandEnded} from '../items/blocker.ts';
import {outcomeChecked} from '../items/conflict/outcome-check.ts';
import {withoutResult} from '../merge/members.ts';
import {partChecked} from '../merge/parts.ts';
import {whyUndelivered, withoutThem} from '../reply.ts';
import {agentOf, itemOf} from '../select.ts';
import {
	type Attempt,
	attemptOf,
	type State,
	withAgent,
	withItem,
	withoutAttempt,
	withReplaced,
} from '../state.ts';
import {publishRefused} from './apply-merge.ts';
import {movesInterrupted} from './apply-publication.ts';

type Failed = EventOf<'effect.failed'>;

/** Number of tries after which an effect has failed for good. */
const maximumTries = 3;

/** Returns whether a failed effect is not tried again. */
export const isExhausted = (attempt: Attempt): boolean =>
	attempt.final || attempt.count >= maximumTries;

/** Counts a failed effect, and informs a person if no move between states does so. */
export const effectFailed = (state: State, event: Failed): State => {
	const {effect, message, hint, printed, final} = event;
	const count = (attemptOf(state, effect)?.count ?? 0) + 1;
	const attempt: Attempt = {
		...{effect, count, at: state.awake, message, final},
		...defined({hint, printed}),
	};
	// It is unknown how far the failed move of the target came.
	const begun = effect.do === 'publish' ? movesInterrupted(state) : state;
	const others = withoutAttempt(begun, effect);
	const counted = {...others, attempts: [...others.attempts, attempt]};
	return isExhausted(attempt) ? failedForGood(counted, event) : counted;
};

const failedForGood = (state: State, event: Failed): State => {
	const {effect} = event;
	switch (effect.do) {
		case 'start':
		case 'rework':
			return againFailed(state, effect.agent, event);
		case 'bring-back':
			return bringBackFailed(state, effect, event.message);
		case 'run-command':
			return commandEnded(state, {
				...{kind: 'command.ended', command: '', code: null, tail: [], log: ''},
				...{agent: effect.agent, item: effect.item, since: effect.since, why: event.message},
			});
		case 'open-resolution':
			return openingFailed(state, effect.conflict, event);
		case 'clear-up':
			return clearingFailed(state, event);
		case 'build':
			return buildFailed(state, event);
		case 'verify':
			return verifyFailed(state, event);
		case 'check-part':
			return partFailed(state, effect, event);
		case 'check-snapshot':
			return checkFailed(state, effect, event);
		case 'check-outcome':
			return outcomeChecked(state, {
				...{kind: 'outcome.checked', seq: event.seq, at: event.at},
				...{conflict: effect.conflict, choice: effect.choice, since: effect.since},
				...{put: null, tree: null, outcome: 'unclear', why: event.message},
				...{commands: [], log: null, left: []},
			});
		case 'publish':
			return publishRefused(state, {
				message: event.message,
				hint: event.hint ?? 'approve it again to try it once more',
			});
		case 'prepare':
		case 'restore':
		case 'end-turn':
		case 'reply':
		case 'snapshot':
			return state;
	}
};

/** Reopens the item of a finished agent that can't work again, with the reason and its undelivered messages; its work is unchanged. An agent that waited for others' work continues without it. An arbiter's proposal stays at its conflict. */
const againFailed = (state: State, id: string, {effect, message}: Failed): State => {
	const agent = agentOf(state, id);
	if (agent?.state === 'CHECKPOINT' && effect.do === 'rework') {
		return withAgent(withoutAttempt(state, effect), id, one => withoutRework(one, message));
	}

	if (agent?.state !== 'COMPLETE' && agent?.state !== 'FAILED') {
		return state;
	}

	const reset = withAgent(withoutAttempt(state, effect), id, one =>
		withoutThem(omit(one, 'rework')),
	);
	const why = whyUndelivered(agent, message);
	if (agent.arbitrates !== undefined) {
		return withAgent(reset, id, one => ({...one, unheard: why}));
	}

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
		? withReplaced(reset, {...item, manual: {phase: 'none'}, trouble: message})
		: reset;
};

/** Records why a cleanup failed, which is shown and retried like any other obstacle. */
const clearingFailed = (state: State, {effect, message, hint}: Failed): State => ({
	...withoutAttempt(state, effect),
	notCleared: {message, hint: hint ?? 'See the supervisor’s log.'},
});

const buildFailed = (state: State, {message, hint}: Failed): State => {
	if (state.merge.phase !== 'none') {
		return state;
	}

	const why = `the accepted work could not be combined: ${[message, ...(hint === undefined ? [] : [hint])].join(' ')}`;
	return withItem(withoutResult(state, 'failed'), {kind: 'verify', commit: '', why});
};

const verifyFailed = (state: State, {message}: Failed): State => {
	const {merge} = state;
	if (merge.phase !== 'built') {
		return state;
	}

	const {built} = merge;
	const verified = {ok: false, commands: [], log: null};
	return withItem(
		{...state, merge: {phase: 'verified', built, verified}},
		{kind: 'verify', commit: built.commit, why: `it could not be run: ${message}`},
	);
};

/** Records a part without a result; the other parts are checked nevertheless. */
const partFailed = (
	state: State,
	{since, agents}: Extract<Failed['effect'], {do: 'check-part'}>,
	{seq, at, message: why}: Failed,
): State =>
	partChecked(state, {
		...{kind: 'part.checked', seq, at},
		...{since, agents, tree: null, outcome: 'unclear', why, log: null},
	});
