import {type Awake, awakeLater, type Deadline} from '../../events/deadline.ts';
import type {AgentEffectKey, EffectKey} from '../../events/effect-key.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isExhausted} from '../../state/apply/apply-failure.ts';
import {exitReason, isAtRest, isLive} from '../../state/select.ts';
import {attemptOf, hasPassed, type State} from '../../state/state.ts';

/** Pause before the second try, in milliseconds; each further one waits twice as long. */
const firstPauseMs = 1000;

/** Decision about an effect that may have failed before. */
type Retry =
	| {readonly kind: 'now'}
	| {readonly kind: 'at'; readonly at: Awake; readonly deadline: Deadline}
	| {readonly kind: 'never'; readonly message: string};

/** Returns whether an effect may be tried now, later or never. */
export const retryOf = (state: State, effect: EffectKey): Retry => {
	const attempt = attemptOf(state, effect);
	if (!attempt) {
		return {kind: 'now'};
	}

	if (isExhausted(attempt)) {
		return {kind: 'never', message: attempt.message};
	}

	const deadline: Deadline = {of: 'retry', effect, since: attempt.at};
	return hasPassed(state, deadline)
		? {kind: 'now'}
		: {kind: 'at', at: awakeLater(attempt.at, firstPauseMs * 2 ** (attempt.count - 1)), deadline};
};

/** Returns whether an agent's process is gone and its worktree pinned as the process left it, or can't be pinned. */
export const isStill = (state: State, agent: Agent): boolean =>
	isAtRest(agent) ||
	(!isLive(agent) && isBeyondTries(state, agent.id, exitReason(agent.turn.number)));

/** Returns whether each owed snapshot of an agent's work is taken, or has failed for good. */
export const hasSettledSnapshots = (state: State, {id, wanted}: Agent): boolean =>
	wanted.every(reason => isBeyondTries(state, id, reason));

/** Returns whether a snapshot has used up its tries, which are counted for each reason. */
const isBeyondTries = (state: State, agent: string, reason: string): boolean => {
	const attempt = attemptOf(state, {do: 'snapshot', agent, reason});
	return attempt !== undefined && isExhausted(attempt);
};

/** Returns the reason why an agent's effect of a kind has failed for good, if it has. */
export const exhausted = (
	state: State,
	what: AgentEffectKey['do'],
	agent: string,
): string | undefined =>
	state.attempts.find(
		attempt => attempt.effect.do === what && attempt.effect.agent === agent && isExhausted(attempt),
	)?.message;
