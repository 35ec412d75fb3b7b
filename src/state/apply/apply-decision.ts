import type {EventOf} from '../../events/event.ts';
import {newAgent} from '../agent/agent.ts';
import {cancel} from '../agent/cancel.ts';
import type {ItemOf, Kind} from '../item.ts';
import {
	type ClockChange,
	clockPaused,
	clockResumed,
	readClockChange,
} from '../items/question/clock.ts';
import {kindOf, readChoice, snoozeWord} from '../items.ts';
import {agentOfItem, isSettled, itemOf} from '../select.ts';
import {readSessionChoice} from '../session-choice.ts';
import {type State, withNewAgent, withoutItems} from '../state.ts';
import {spokenTo} from './apply-limits.ts';

type Decided = EventOf<'user.decided'>;

/** A person decided; the item is closed, unless the choice was only to look at it later. */
export const decided = (before: State, event: Decided): State => {
	if (event.item === 'session') {
		return sessionDecided(before, event);
	}

	const item = itemOf(before, event.item);
	if (item === undefined) {
		return before;
	}

	const state = event.by === 'policy' ? before : spokenTo(before, agentOfItem(item));

	if (event.choice === snoozeWord) {
		return putOff(state, item);
	}

	const clock = item.kind === 'question' ? readClockChange(event.choice) : undefined;
	return item.kind === 'question' && clock !== undefined
		? clockChangedBy(state, item, clock)
		: itemDecided(state, event, item);
};

const sessionDecided = (state: State, event: Decided): State => {
	if (!state.session) {
		return state;
	}

	const choice = readSessionChoice(event.choice);
	switch (choice?.verb) {
		case 'add':
			return event.subtask === undefined
				? state
				: [event.subtask, ...(event.rivals ?? [])].reduce(
						(before, subtask) => withNewAgent(before, newAgent(subtask, state.awake)),
						state,
					);
		case 'stop':
			return stopped(state);
		case 'withdraw':
			return {...state, allowances: state.allowances.filter(({id}) => id !== choice.allowance)};
		case undefined:
			return state;
	}
};

/** All work is kept. Where everybody's part was settled there was nothing left to give up, which is a good end. */
const stopped = (state: State): State => ({
	...withoutItems(state, () => true),
	session: state.session && {
		...state.session,
		stopping: state.agents.every(isSettled) ? 'COMPLETE' : 'ABORTED',
	},
	agents: state.agents.map(agent => cancel(agent, 'the session was stopped')),
});

const putOff = (state: State, item: ItemOf): State => ({
	...state,
	items: [...state.items.filter(({id}) => id !== item.id), item],
});

const clockChangedBy = (state: State, item: ItemOf<'question'>, to: ClockChange): State => {
	switch (to) {
		case 'paused':
			return clockPaused(state, item);
		case 'going':
			return clockResumed(state, item);
	}
};

/** What the item does not offer is no choice, and changes nothing. */
const itemDecided = <K extends Kind>(state: State, event: Decided, item: ItemOf<K>): State => {
	const kind = kindOf<K>(item);
	const choice = readChoice<K>(state, item, event.choice);
	if (choice === undefined) {
		return state;
	}

	const left = kind.staysOpen(choice) ? state : withoutItems(state, ({id}) => id === item.id);
	return kind.decided(left, item, choice, event);
};
