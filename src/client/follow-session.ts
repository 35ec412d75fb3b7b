import {dirname} from 'node:path';
import {isEvent} from '../events/decode.ts';
import type {Event} from '../events/event.ts';
import type {Environments} from '../events/plan.ts';
import {type FollowOptions, followBatches} from '../journal/follow.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {isAbsence, isThere} from '../lib/files/reading.ts';
import {defined} from '../lib/values.ts';
import {valuesToShow} from '../rules/plan/profile.ts';
import {fold} from '../state/apply/apply.ts';
import {emptyState, type State} from '../state/state.ts';

/** How far a reader of a session has come. */
export type ReadingProgress = {
	/** Events that came together, oldest first. */
	readonly events: readonly Event[];
	/** The state after them. */
	readonly state: State;
	/** Whether the journal is read from its start again, so that all events before these count no more. */
	readonly restarted: boolean;
};

/**
Follows the journal of a session and folds it, until the signal aborts; the journal need not be there yet.

`onEnd` is called each time that all that is there was yielded: a long journal comes in pieces.

A writer may take back lines that never were safe on the disk; the journal is then read from its start again, once.

@throws `Failure` of kind `missing` when the session's folder is gone, of kind `refused` when the journal is damaged.
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

/** Reads what a session's agents have in their environments. */
export type ReadEnvironments = (state: State) => Promise<Environments>;

/** Returns the values that a plan sets which waits for its approval; none where they can't be read, and texts say so. */
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
Fails when the folder of a session's journal is gone, or is just being removed: that is the true cause of whatever went wrong in it.

@throws `Failure` of kind `missing`
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
