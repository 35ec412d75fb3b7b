import type {Reply} from '../events/reply.ts';
import {type State, withAgent} from './state.ts';

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
