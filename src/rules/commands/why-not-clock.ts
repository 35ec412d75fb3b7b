import type {Listening} from '../../state/agent/agent.ts';
import {longestHold} from '../../state/agent/listening.ts';
import type {ItemOf} from '../../state/item.ts';
import {type ClockChange, pausedSince, waitFor} from '../../state/items/question/wait.ts';
import {agentOf} from '../../state/select.ts';
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
	const {id, agent} = item;
	const wait = waitFor(state, item);
	switch (wait.how) {
		case 'goes-on':
			return `${id} has no clock: ${agent} goes on without waiting.`;
		case 'file':
			return `${agent} looks for its answer in a file, for as long as it chose itself; that can’t be made longer.`;
		case 'left':
		case 'parked':
			return wait.how === 'parked' && agentOf(state, agent)?.turn.phase === 'live'
				? `${agent} ends its turn when it has asked; there is no clock to stop, and it goes on with your answer whenever you give it.`
				: `${id} has no clock: ${agent} is paused, and goes on with your answer whenever you give it.`;
		case 'until':
		case 'paused':
			return agentOf(state, agent)?.listening.some(isCallAtItsLongest(item))
				? `${agent} waits in a call of a tool, which is held for eight minutes at most, since its own client may end it after ten; that can’t be made longer. It is paused then, and goes on with your answer.`
				: undefined;
	}
};

const isCallAtItsLongest =
	({id, asked}: ItemOf<'question'>) =>
	({items, until}: Listening): boolean =>
		items.includes(id) && until >= longestHold(asked);
