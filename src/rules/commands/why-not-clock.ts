import {longestHold} from '../../state/agent/listening.ts';
import type {ItemOf} from '../../state/item.ts';
import {type ClockChange, hasClock, pausedSince} from '../../state/items/question-clock.ts';
import {agentOf, isAsking, takesReplies} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** Returns in words why the clock of a question can't be stopped, or let go on, now. */
export const whyNotClock = (
	state: State,
	item: ItemOf<'question'>,
	to: ClockChange,
): string | undefined => {
	const isPaused = pausedSince(state, item) !== undefined;
	switch (to) {
		case 'going':
			return isPaused ? undefined : `The clock of ${item.id} is not paused.`;
		case 'paused':
			return isPaused ? `The clock of ${item.id} is paused already.` : whyNotHeld(state, item);
	}
};

/** Only what waits for us waits as long as we say. */
const whyNotHeld = (state: State, item: ItemOf<'question'>): string | undefined => {
	const agent = agentOf(state, item.agent);
	if (agent === undefined || !hasClock(state, item) || item.deadline <= item.opened) {
		return `${item.id} has no clock: ${item.agent} is parked, and goes on with your answer whenever you give it.`;
	}

	if (item.file !== undefined) {
		return `${item.agent} looks for its answer in a file, for as long as it chose itself; that can’t be made longer.`;
	}

	const call = agent.listening.find(({items}) => items.includes(item.id));
	if (call !== undefined) {
		return call.until < longestHold(item.opened)
			? undefined
			: `${item.agent} waits in a call of a tool, which its own client ends after a minute; that can’t be made longer. It is parked then, and goes on with your answer.`;
	}

	return isAsking(agent) || takesReplies(agent)
		? undefined
		: `${item.agent} ends its turn when it has asked; there is no clock to stop, and it goes on with your answer whenever you give it.`;
};
