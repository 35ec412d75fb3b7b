import {elapsedMs, remainingText} from '../lib/text/duration.ts';
import {clockText, type Moment} from '../lib/zoned-time.ts';
import type {Agent} from '../state/agent/agent.ts';
import {limitOf} from '../state/login-limits.ts';
import {isLive} from '../state/select.ts';
import type {LoginLimit, State} from '../state/state.ts';
import {limitTold, modelWaitOf} from './effects/model-retry.ts';
import {duePrompt, isSentBack} from './effects/prompts.ts';
import {waitsFor} from './effects/slots.ts';

/** Returns the limit that an agent waits for, if nothing else holds it. */
export const limitWaitOf = (state: State, agent: Agent): LoginLimit | undefined =>
	isLive(agent) || !isDue(state, agent) ? undefined : limitOf(state, agent.id);

const isDue = (state: State, agent: Agent): boolean => {
	switch (agent.state) {
		case 'PENDING':
			return (
				state.session?.approved === true &&
				agent.held === undefined &&
				agent.verdict.kind === 'none' &&
				waitsFor(state, agent).length === 0
			);
		case 'COMPLETE':
		case 'FAILED':
			return agent.verdict.kind === 'retried' || isSentBack(agent);
		case 'SPAWNING':
		case 'RUNNING':
		case 'CHECKPOINT':
			return duePrompt(state, agent) !== undefined;
		case 'MERGED':
		case 'ABORTED':
			return false;
	}
};

/** Returns the text of a limit: `5-hour limit of Claude, until 03:10, in 2 h 4 min`. */
export const limitText = (limit: LoginLimit, moment: Moment): string =>
	`${limitTold(limit, clockText(limit.until, moment))}, in ${remainingText(elapsedMs(moment.now, limit.until))}`;

/** Returns the reason for an agent's state: the wait for its model, or else the reason of its last move. */
export const whyOf = (state: State, agent: Agent, moment: Moment): string => {
	const limit = limitWaitOf(state, agent);
	return limit === undefined
		? (modelWaitOf(state, agent)?.why ?? agent.why)
		: limitText(limit, moment);
};
