import type {Reply} from '../../events/reply.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {blockingItems} from '../../state/blocking-items.ts';
import type {State} from '../../state/state.ts';

/** Returns the replies to calls that wait for nothing more than these. */
export const awaitedReplies = (state: State, agent: Agent): readonly Reply[] => {
	const holds = blockingItems(state, agent).map(({id}) => id);
	const ready = agent.listening
		.filter(({items}) => !items.some(item => holds.includes(item)))
		.flatMap(({items}) => items);
	return agent.replies.filter(({item}) => ready.includes(item));
};
