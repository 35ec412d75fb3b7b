import type {Environments} from '../../events/plan.ts';
import {wakeOnChange} from '../../journal/follow.ts';
import {asFailure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {noRecords, type QuestionRecords, withEvent} from '../../rules/question-record.ts';
import {followSession, planValues, type ReadEnvironments} from '../follow-session.ts';
import {createPublisher} from './publisher.ts';

/** The followed session, with the paths of its journal and environments. */
export type FoundSession = {
	readonly id: string;
	readonly journal: string;
	readonly environments: ReadEnvironments;
};

/** Newest session of a repository. */
export type FollowedSession = QuestionRecords & {
	/** Environment values of a plan that waits for approval, by agent. */
	readonly sets?: Environments;
	/** True if a supervisor runs it; after its death the next command continues the session. */
	readonly isSupervised: boolean;
	/** Reason why it can't be read any further, if so. */
	readonly trouble?: string;
};

export type LastSessionStore = {
	readonly session: () => FollowedSession;
	readonly subscribe: (listener: () => void) => () => void;
	readonly close: () => void;
};

export type LastSessionOptions = {
	/** Folder in which sessions appear; it may not exist yet. */
	readonly home: string;
	/** Returns the last session unless it is the known one; nothing if there is no other. */
	readonly find: (known: string | undefined) => Promise<FoundSession | undefined>;
	readonly isSupervised: () => boolean;
};

/** Interval of looks for another session without a file event, in milliseconds. */
const pollMs = 1000;

/** Follows the last session of a repository, and the next one once there is one; it changes nothing and starts no supervisor. */
export const createLastSessionStore = ({
	home,
	find,
	isSupervised,
}: LastSessionOptions): LastSessionStore => {
	const closing = new AbortController();
	let following: Following | undefined;
	let session: FollowedSession = {...noRecords, isSupervised: false};
	let trouble: string | undefined;
	const publisher = createPublisher(() => {
		session = {
			...(following?.known() ?? noRecords),
			isSupervised: following !== undefined && isSupervised(),
			...defined({sets: following?.sets(), trouble: following?.trouble() ?? trouble}),
		};
	});

	const look = async (): Promise<void> => {
		try {
			const found = await find(following?.id);
			if (found !== undefined) {
				following?.close();
				following = follow(found, publisher.touch);
			}

			trouble = undefined;
		} catch (error) {
			trouble = asFailure(error).message;
			publisher.touch();
		}
	};

	const followAll = async (): Promise<void> => {
		const wake = wakeOnChange(home, pollMs, closing.signal);
		while (!closing.signal.aborted) {
			if (following === undefined || following.isOver()) {
				await look();
			}

			if (following !== undefined && session.isSupervised !== isSupervised()) {
				publisher.touch();
			}

			await wake.next();
		}

		wake.close();
	};

	void followAll();
	return {
		session: () => session,
		subscribe: publisher.subscribe,
		close: () => {
			closing.abort();
			following?.close();
			publisher.close();
		},
	};
};

type Following = {
	readonly id: string;
	readonly known: () => QuestionRecords;
	readonly sets: () => Environments | undefined;
	readonly trouble: () => string | undefined;
	/** Returns whether another session may have begun: this one has ended, or can't be read any more. */
	readonly isOver: () => boolean;
	readonly close: () => void;
};

type Known = {readonly records: QuestionRecords; readonly sets?: Environments};

const follow = ({id, journal, environments}: FoundSession, touch: () => void): Following => {
	const closing = new AbortController();
	let read: Known = {records: noRecords};
	let known = read;
	let trouble: string | undefined;
	// In the middle of a journal, items that were decided long ago are still open.
	const publish = (): void => {
		if (known !== read) {
			known = read;
			touch();
		}
	};

	const readOn = async (): Promise<void> => {
		const progress = followSession(journal, closing.signal, publish);
		for await (const {events, state, restarted} of progress) {
			const sets = await planValues(state, environments);
			const records = events.reduce(withEvent, restarted ? noRecords : read.records);
			read = {records, ...defined({sets})};
		}
	};

	readOn().catch((error: unknown) => {
		known = read;
		trouble = asFailure(error).message;
		touch();
	});
	return {
		id,
		known: () => known.records,
		sets: () => known.sets,
		trouble: () => trouble,
		isOver: () => trouble !== undefined || known.records.state.session?.ended !== undefined,
		close: () => closing.abort(),
	};
};
