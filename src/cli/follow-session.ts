import {isEvent} from '../events/decode.ts';
import type {Event} from '../events/event.ts';
import {followBatches} from '../journal/follow.ts';
import {fold} from '../state/apply.ts';
import {emptyState, type State} from '../state/state.ts';
import type {SessionFolder} from '../supervisor/folder.ts';
import {type Here, readLastSession} from './here.ts';
import {wakeSupervisor} from './reach-supervisor.ts';

/** How often a follower sees to it that there is a supervisor, in milliseconds. */
const careMs = 3000;

export type FollowSessionOptions = {
	/** Called with events that came together, and the state after them. */
	readonly onEvents: (events: readonly Event[], state: State) => void;
};

/**
Follows a session until it has ended, and returns its last state.

While somebody follows, a supervisor that was killed is started again.
*/
export const followUntilEnd = async (
	here: Here,
	folder: SessionFolder,
	{onEvents}: FollowSessionOptions,
): Promise<State> => {
	let state = emptyState;
	const care = setInterval(() => {
		readLastSession(here)
			.then(session => wakeSupervisor(here, session))
			.catch(() => {});
	}, careMs);
	try {
		for await (const entries of followBatches(folder.journal)) {
			const events = entries.filter(isEvent);
			state = fold(events, state);
			onEvents(events, state);
			if (state.session?.ended) {
				break;
			}
		}
	} finally {
		clearInterval(care);
	}

	return state;
};
