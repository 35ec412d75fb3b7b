import type {InboxItem} from '../../rules/inbox.ts';
import {expectedAnswer} from './expected-answer.ts';
import {type Fact, factLines} from './fact-lines.ts';

/** Returns what there is to know of a question besides its words, a line for each. */
export const questionText = (item: InboxItem<'question'>): readonly string[] => {
	const {asked_at, context, blocked_at, current_state, rejected} = item;
	return factLines([
		['Asked', asked_at],
		['Why', context],
		['Stopped at', blocked_at],
		['So far', current_state],
		['Expects', expectedAnswer(item).join(', ')],
		...waitFacts(item),
		['Last answer', rejected],
		['Also asked', sameText(item)],
	]);
};

/** Only what is true while it is read: who is parked waits until no time. */
const waitFacts = ({waits, deadline, paused_at}: InboxItem<'question'>): readonly Fact[] => {
	switch (waits) {
		case 'until':
			return [['Waits until', deadline]];
		case 'paused':
			return [['Clock', `paused since ${paused_at}`]];
		case 'left':
			return [['Left to you', 'its agent goes on with your answer']];
		case 'file':
			return [['Waits', 'it looks for your answer in a file, for as long as it chose']];
		case 'parked':
			return [['Parked', 'its agent goes on with your answer, whenever you give it']];
		case 'goes-on':
			return [['Meanwhile', 'its agent goes on without waiting']];
	}
};

/** Names the other agents that ask the same, and how to answer them all at once. */
const sameText = ({id, same}: InboxItem<'question'>): string | undefined =>
	same === undefined
		? undefined
		: `${same.map(({agent, item}) => `${agent} asks the same (${item})`).join(', ')}; delegate-tui answer ${id} ANSWER --same is for all of them`;
