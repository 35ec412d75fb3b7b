import {setTimeout as wait} from 'node:timers/promises';
import {followSession, type ReadingProgress, requireJournal} from '../client/follow-session.ts';
import type {Control} from '../control/send.ts';
import type {Event} from '../events/event.ts';
import type {SlowGit} from '../events/kinds/machine-event.ts';
import {keepMemorySmall} from '../lib/memory.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {slowGitText} from '../rules/notices.ts';
import {emptyState, type State} from '../state/state.ts';
import type {SessionFolder} from '../supervisor/folder.ts';
import {lastMerged} from '../supervisor/past/last-session.ts';
import {connectAwake} from './awake.ts';
import {type Here, readLastSession, requireSound} from './here.ts';
import {printAside} from './output.ts';
import {stayConnected} from './reach-supervisor.ts';

/** Interval in which a follower looks whether the session's folder still exists, in milliseconds. */
const lookMs = 3000;

/**
Follows a session until it has ended, and returns its last state.

`onEvents` is called with events that came together, and the state after them; further ones are read when it is done.

@throws `Failure` as `followAwake` does.
*/
export const followUntilEnd = async (
	here: Here,
	folder: SessionFolder,
	onEvents: (events: readonly Event[], state: State) => Promise<void> | void = () => {},
): Promise<State> => {
	let state = emptyState;
	const isNew = createFilter();
	const stop = keepMemorySmall();
	try {
		for await (const progress of followAwake(here, folder)) {
			state = progress.state;
			await onEvents(progress.events.filter(isNew), state);
			if (state.session?.ended) {
				break;
			}
		}
	} finally {
		stop();
	}

	return state;
};

/**
Follows a session until the reader stops or the signal aborts. Meanwhile, a supervisor that was killed is restarted.

@throws `Failure` of kind `missing` if the session's folder is gone, and the reason if the session can't be continued.
*/
export async function* followAwake(
	here: Here,
	folder: SessionFolder,
	signal?: AbortSignal,
): AsyncGenerator<ReadingProgress, void, void> {
	const stuck = new AbortController();
	const leaving = new AbortController();
	const over = AbortSignal.any([stuck.signal, leaving.signal, ...(signal ? [signal] : [])]);
	const abort = (error: unknown): void => stuck.abort(error);
	const looking = setInterval(() => void requireJournal(folder.journal).catch(abort), lookMs);
	void stayConnected(() => connectSound(here, abort), over);
	try {
		yield* followSession(folder.journal, over);
	} finally {
		clearInterval(looking);
		leaving.abort();
	}

	stuck.signal.throwIfAborted();
}

/** Restarts a supervisor that is gone; if none can run, reports that further waiting is useless. */
const connectSound = async (
	here: Here,
	onStuck: (error: unknown) => void,
): Promise<Control | undefined> => {
	const session = await readLastSession(here);
	try {
		requireSound(here, session);
	} catch (error) {
		onStuck(error);
		return undefined;
	}

	return connectAwake(here, session);
};

/** Returns a filter that passes each event once, also if the journal is read again. */
const createFilter = (): ((event: Event) => boolean) => {
	const told = new Map<number, string>();
	return ({seq, at}) => {
		const isNew = told.get(seq) !== at;
		told.set(seq, at);
		return isNew;
	};
};

/** Interval in which the supervisor's wait is checked, in milliseconds. */
const lookEveryMs = 1000;

/** While the supervisor moves the target, prints on stderr for which of the person's programs it waits. */
export const printWaitsWhile = async <Answer>(
	{folder}: Here,
	answer: Promise<Answer>,
): Promise<Answer> => {
	const over = new AbortController();
	const print = createWaitPrinter();
	const look = async (): Promise<void> => {
		while (!over.signal.aborted) {
			await wait(lookEveryMs, undefined, over);
			print((await lastMerged(folder))?.state.waiting ?? null);
		}
	};

	// A failed look does not matter; the answer does.
	look().catch(() => {});
	try {
		return await answer;
	} finally {
		over.abort();
	}
};

/** Returns a function that prints git's wait on stderr, once while it stays the same. */
export const createWaitPrinter = (): ((waiting: SlowGit | null) => void) => {
	let printed: string | undefined;
	return waiting => {
		const text = waiting === null ? undefined : slowGitText(waiting);
		if (text !== undefined && text !== printed) {
			printAside(sanitize(text));
		}

		printed = text;
	};
};
