import {later} from '../lib/time.ts';
import type {Agent} from '../state/agent.ts';
import {isExhausted} from '../state/apply-failure.ts';
import {exitReason, isAtRest, isLive} from '../state/select.ts';
import type {State} from '../state/state.ts';

/** Pause before the second try, in milliseconds; each further one waits twice as long. */
const firstPauseMs = 1000;

/** What is to be done about an effect that may have failed before. */
export type Retry =
	| {readonly kind: 'now'}
	| {readonly kind: 'at'; readonly at: string; readonly deadline: string}
	| {readonly kind: 'never'; readonly message: string};

/** Returns whether an effect may be tried now, later or no more. */
export const retryOf = (state: State, key: string): Retry => {
	const attempt = state.attempts[key];
	if (!attempt) {
		return {kind: 'now'};
	}

	if (isExhausted(attempt)) {
		return {kind: 'never', message: attempt.message};
	}

	const deadline = `retry:${key}:${attempt.at}`;
	return state.passed.includes(deadline)
		? {kind: 'now'}
		: {kind: 'at', at: later(attempt.at, firstPauseMs * 2 ** (attempt.count - 1)), deadline};
};

/** Returns whether an agent's process is gone and its worktree pinned as it was left, or can't be. */
export const isStill = (state: State, agent: Agent): boolean =>
	isAtRest(agent) ||
	(!isLive(agent) && isBeyondTries(state, agent.id, exitReason(agent.turn.number)));

/** Returns whether each snapshot that is owed of an agent's work is taken, or has failed for good. */
export const isPinned = (state: State, {id, wanted}: Agent): boolean =>
	wanted.every(reason => isBeyondTries(state, id, reason));

/** What hinders one snapshot says nothing about the next one. */
const isBeyondTries = (state: State, id: string, reason: string): boolean =>
	exhausted(state, `snapshot:${id}:${reason}`) !== undefined;

/** Returns why an effect whose key starts so has failed for good, if one has. */
export const exhausted = (state: State, prefix: string): string | undefined => {
	const failed = Object.entries(state.attempts).find(
		([key, attempt]) => (key === prefix || key.startsWith(`${prefix}:`)) && isExhausted(attempt),
	);
	return failed?.[1].message;
};
