import type {InboxItem} from '../../rules/inbox.ts';
import {factLines} from './fact-lines.ts';

/** Returns what there is to know of a question besides its words, a line for each. */
export const questionText = (item: InboxItem<'question'>): readonly string[] => {
	const {asked_at, deadline, paused_at, context, blocked_at, current_state} = item;
	const {escalated, rejected} = item;
	return factLines([
		['Asked', asked_at],
		['Why', context],
		['Stopped at', blocked_at],
		['So far', current_state],
		['Expects', expectedOf(item)],
		['Waits until', escalated === true ? undefined : deadline],
		['Clock', paused_at === undefined ? undefined : `paused since ${paused_at}`],
		['Left to you', escalated === true ? 'its agent goes on with your answer' : undefined],
		['Last answer', rejected],
		['Also asked', sameText(item)],
	]);
};

/** Names the other agents that ask the same, and how to answer them all at once. */
const sameText = ({id, same}: InboxItem<'question'>): string | undefined =>
	same === undefined
		? undefined
		: `${same.map(({agent, item}) => `${agent} asks the same (${item})`).join(', ')}; delegate-tui answer ${id} ANSWER --same is for all of them`;

/** Returns what an answer to a question must be like, where it can't be any text. */
const expectedOf = ({type, pattern, multi, required}: InboxItem<'question'>): string =>
	[
		type === undefined || type === 'choice' || type === 'text'
			? undefined
			: `${type === 'yes-no' ? 'yes or no' : `a ${type}`}`,
		pattern === undefined ? undefined : `a text that matches ${pattern}`,
		multi === true ? 'one or several options, separated by commas' : undefined,
		required === false ? 'an answer only if you have one' : undefined,
	]
		.filter(word => word !== undefined)
		.join(', ');
