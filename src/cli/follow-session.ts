import {isEvent} from '../events/decode.ts';
import type {Event} from '../events/event.ts';
import {followBatches} from '../journal/follow.ts';
import {Failure} from '../lib/failure.ts';
import {isThere} from '../lib/is-there.ts';
import {fold} from '../state/apply.ts';
import {emptyState, type State} from '../state/state.ts';
import type {SessionFolder} from '../supervisor/folder.ts';
import {type Here, readLastSession, requireSound} from './here.ts';
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

@throws `Failure` of kind `missing` when the session's folder is gone, and the reason why nobody can go on with the session.
*/
export const followUntilEnd = async (
	here: Here,
	folder: SessionFolder,
	{onEvents}: FollowSessionOptions,
): Promise<State> => {
	let state = emptyState;
	const stuck = new AbortController();
	const care = setInterval(() => {
		lookAfter(here, stuck).catch(() => {});
	}, careMs);
	try {
		for await (const entries of followBatches(folder.journal, {signal: stuck.signal})) {
			const events = entries.filter(isEvent);
			state = fold(events, state);
			onEvents(events, state);
			if (state.session?.ended) {
				break;
			}
		}
	} catch (error) {
		throw (await isThere(folder.path)) ? error : vanished(folder, error);
	} finally {
		clearInterval(care);
	}

	if (!state.session?.ended) {
		stuck.signal.throwIfAborted();
	}

	return state;
};

/** A supervisor that is gone comes back; where none can, waiting for more would be in vain. */
const lookAfter = async (here: Here, stuck: AbortController): Promise<void> => {
	const session = await readLastSession(here);
	try {
		requireSound(here, session);
	} catch (error) {
		stuck.abort(error);
		return;
	}

	await wakeSupervisor(here, session);
};

const vanished = ({path}: SessionFolder, cause: unknown): Failure =>
	new Failure('missing', `The session's folder ${path} is gone, so it can't be followed.`, {
		hint: 'put it back from a backup, and delegate-tui goes on with it; without it a new session can be started',
		cause,
	});
