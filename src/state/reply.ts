import type {Reply} from '../events/reply.ts';
import {withoutStop} from '../lib/text/words.ts';
import type {Agent} from './agent/agent.ts';
import {type Skipped, type State, withAgent} from './state.ts';

/** Queues a reply to an agent about a decided item. */
export const replied = (
	state: State,
	{id, agent}: {readonly id: string; readonly agent: string},
	reply: Omit<Reply, 'item'>,
): State => withReply(state, agent, {item: id, ...reply});

export const withReply = (state: State, id: string, reply: Reply): State =>
	withAgent(state, id, agent => ({...agent, replies: [...agent.replies, reply]}));

/** Returns a text with a person's note below it. */
export const withNote = (text: string, note: string | undefined): string =>
	note === undefined ? text : `${text}\n${note}`;

/** Returns whether a reply sends a finished agent back to work. */
export const sendsBack = ({heading}: Reply): boolean =>
	heading === 'REVIEW FEEDBACK' || heading === 'MERGE CONFLICT';

/** Returns a failure with the person's words that the agent did not get. */
export const whyUndelivered = ({replies}: Pick<Agent, 'replies'>, why: string): string => {
	const words = replies.filter(reply => sendsBack(reply) && reply.text !== '');
	return words.length === 0
		? why
		: `${withoutStop(why)}; it was not told: "${words.map(({text}) => text).join(' ')}"`;
};

/** Keeps such words until a person restarts the agent, so that they don't restart it themselves. */
export const keepForRetry = (agent: Agent): Agent => ({
	...withoutThem(agent),
	delivered: [...agent.delivered, ...agent.replies.filter(sendsBack)],
});

/** Drops such words: an agent that is sent back again gets new ones. */
export const withoutThem = (agent: Agent): Agent => ({
	...agent,
	replies: agent.replies.filter(reply => !sendsBack(reply)),
});

export const withSkipped = (state: State, skipped: Skipped): State => ({
	...state,
	skipped: [...state.skipped, skipped],
});
