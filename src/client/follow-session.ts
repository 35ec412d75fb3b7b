import {dirname} from 'node:path';
import type {Event} from '../events/event.ts';
import type {Environments} from '../events/plan.ts';
import {type FollowOptions, followBatches} from '../journal/follow.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {isAbsence, isThere} from '../lib/files/reading.ts';
import {defined} from '../lib/values.ts';
import {valuesToShow} from '../rules/plan/profile.ts';
import {fold, isEvent} from '../state/apply/apply.ts';
import {emptyState, type State} from '../state/state.ts';

export type ReadingProgress = {
	/** Events that came together, oldest first. */
	readonly events: readonly Event[];
	/** State after them. */
	readonly state: State;
	/** True if the journal is read from its start again, so that all earlier events are void. */
	readonly restarted: boolean;
};

/**
Follows the journal of a session and folds it, until the signal aborts; the journal may not exist yet.

`onEnd` is called each time everything so far was yielded: a long journal comes in pieces.

A writer may remove lines that were never flushed to the disk; the journal is then read from its start again, once.

@throws `Failure` of kind `missing` if the session's folder is gone, of kind `refused` if the journal is damaged.
*/
export async function* followSession(
	journal: string,
	signal: AbortSignal,
	onEnd?: () => void,
): AsyncGenerator<ReadingProgress, void, void> {
	for (const restarted of [false, true]) {
		try {
			yield* follow(journal, {signal, ...defined({onEnd})}, restarted);
			return;
		} catch (error) {
			await requireJournal(journal, error);
			if (restarted || asFailure(error).kind !== 'refused') {
				throw error;
			}
		}
	}
}

/** Reads the environments of a session's agents. */
export type ReadEnvironments = (state: State) => Promise<Environments>;

/** Returns the environment values of a plan that waits for approval; none if they can't be read, which texts say. */
export const planValues = async (
	state: State,
	environments: ReadEnvironments,
): Promise<Environments | undefined> =>
	state.session !== null && state.items.some(({kind}) => kind === 'plan')
		? valuesToShow(state.session.plan.agents, await environments(state).catch(() => ({})))
		: undefined;

async function* follow(
	journal: string,
	options: FollowOptions,
	again: boolean,
): AsyncGenerator<ReadingProgress> {
	let state = emptyState;
	let restarted = again;
	for await (const entries of followBatches(journal, options)) {
		const events = entries.filter(isEvent);
		state = fold(events, state);
		yield {events, state, restarted};
		restarted = false;
	}
}

/**
Fails if the folder of a session's journal is gone, or is being removed: that is the true cause of any other error in it.

@throws `Failure` of kind `missing`.
*/
export const requireJournal = async (journal: string, cause?: unknown): Promise<void> => {
	const path = dirname(journal);
	if (!(await isThere(path))) {
		throw gone(`The session’s folder ${path}`, cause);
	}

	if (cause instanceof Failure && isAbsence(cause.cause)) {
		throw gone(`The journal in ${journal}`, cause);
	}
};

const gone = (what: string, cause: unknown): Failure =>
	new Failure('missing', `${what} is gone, so it can’t be followed.`, {
		hint: 'put it back from a backup, and delegate-tui goes on with it; without it a new session can be started',
		cause,
	});
