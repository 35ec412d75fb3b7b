import type {Reply} from '../events/reply.ts';
import {withoutStop} from '../lib/text/words.ts';
import type {Agent} from './agent/agent.ts';
import {type Skipped, type State, withAgent} from './state.ts';

/** Lets an agent be told what was decided on an item of it. */
export const replied = (
	state: State,
	{id, agent}: {readonly id: string; readonly agent: string},
	reply: Omit<Reply, 'item'>,
): State => withReply(state, agent, {item: id, ...reply});

/** Returns the state with one more reply that an agent is to be given. */
export const withReply = (state: State, id: string, reply: Reply): State =>
	withAgent(state, id, agent => ({...agent, replies: [...agent.replies, reply]}));

/** Returns a text with a person's note below it. */
export const withNote = (text: string, note: string | undefined): string =>
	note === undefined ? text : `${text}\n${note}`;

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

/** Returns the state in which one more thing is skipped. */
export const withSkipped = (state: State, skipped: Skipped): State => ({
	...state,
	skipped: [...state.skipped, skipped],
});
