import type {Reply} from '../events/reply.ts';
import {withoutStop} from '../lib/without-stop.ts';
import type {Agent} from './agent/agent.ts';

/** Whether a reply sends an agent back to work that had finished. */
export const sendsBack = ({heading}: Reply): boolean =>
	heading === 'REVIEW FEEDBACK' || heading === 'MERGE CONFLICT';

/** Returns why something failed, with what a person had said to an agent and it was not told. */
export const whyUndelivered = ({replies}: Pick<Agent, 'replies'>, why: string): string => {
	const words = replies.filter(reply => sendsBack(reply) && reply.text !== '');
	return words.length === 0
		? why
		: `${withoutStop(why)}; it was not told: "${words.map(({text}) => text).join(' ')}"`;
};

/** Keeps such words for the next time a person has the agent started, so that nothing else starts it. */
export const keepForRetry = (agent: Agent): Agent => ({
	...withoutThem(agent),
	delivered: [...agent.delivered, ...agent.replies.filter(sendsBack)],
});

/** Forgets such words: who is sent back again is told again. */
export const withoutThem = (agent: Agent): Agent => ({
	...agent,
	replies: agent.replies.filter(reply => !sendsBack(reply)),
});
