import type {Event} from '../events/event.ts';
import {agentOf} from './select.ts';
import {type Attempt, type State, withAgent, withItem} from './state.ts';

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
	const counted = {...state, attempts: {...state.attempts, [event.effect]: attempt}};
	if (!isExhausted(attempt)) {
		return counted;
	}

	const [what, agent] = event.effect.split(':');
	switch (what) {
		case 'rework':
			return reworkFailed(counted, agent ?? '', event.message);
		case 'build':
			return withItem(
				{...counted, merge: {phase: 'blocked'}},
				{
					kind: 'verify',
					commit: '',
					why: `the accepted work could not be put together: ${event.message}`,
				},
			);
		default:
			return counted;
	}
};

/** Its work stands as it was, so its review opens again and says why. */
const reworkFailed = (state: State, id: string, message: string): State => {
	const reset = withAgent(state, id, ({rework: _, ...agent}) => ({
		...agent,
		replies: agent.replies.filter(({heading}) => heading !== 'MERGE CONFLICT'),
	}));
	const {[`rework:${id}`]: _, ...attempts} = reset.attempts;
	const open = {...reset, attempts};
	return agentOf(open, id)?.state === 'COMPLETE'
		? withItem(open, {kind: 'review', agent: id, trouble: message})
		: open;
};
