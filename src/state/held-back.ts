import {defined} from '../lib/defined.ts';
import type {Question} from '../signals/index.ts';
import {withReply} from './reply.ts';
import {agentOf} from './select.ts';
import type {State} from './state.ts';

/** So many questions of one agent wait for a person at a time; nobody reads more, and each is an item. */
export const mostOpenQuestions = 20;

/** What an agent is told that has asked for more than that. */
export const heldBackText = `Nobody was asked: ${mostOpenQuestions} questions of yours wait for an answer already. Ask this one again when they are answered, and those that you asked after it.`;

/** Returns how many more questions of an agent a person can be asked. */
export const roomForQuestions = ({items}: State, agent: string): number => {
	const open = items.filter(item => item.kind === 'question' && item.agent === agent);
	return Math.max(0, mostOpenQuestions - open.length);
};

/** Lets an agent be told, once at a time, that a question of it was held back. */
export const heldBack = (
	state: State,
	id: string,
	{seq}: {readonly seq: number},
	{question, id: name}: Question,
): State =>
	agentOf(state, id)?.replies.some(reply => reply.heldBack)
		? state
		: withReply(state, id, {
				item: `held-back-${seq}`,
				heading: 'CLARIFICATION RESPONSE',
				about: question,
				text: heldBackText,
				heldBack: true,
				...defined({question: name}),
			});
