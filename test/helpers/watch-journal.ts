import {eventText} from '../../src/client/texts/event-text.ts';
import type {Event} from '../../src/events/event.ts';
import {followBatches} from '../../src/journal/follow.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {apply, isEvent} from '../../src/state/apply/apply.ts';
import {emptyState, type State} from '../../src/state/state.ts';

/** A journal as read so far. */
export type Seen = {readonly state: State; readonly events: readonly Event[]};

/** A journal that is followed, to wait for its events. */
export type JournalWatch = {
	readonly seen: () => Seen;
	/** Resolves with the result of `find` as soon as it returns one. */
	readonly until: <Found>(what: string, find: (seen: Seen) => Found | undefined) => Promise<Found>;
	readonly close: () => Promise<void>;
};

export type JournalWatchOptions = {
	/** Time limit of a story. */
	readonly limitMs: number;
	/** Returns further details for the error if an event does not come. */
	readonly lastWords: () => string;
};

/** Follows a journal; an event that does not come in time fails with the last events. */
export const watchJournal = (
	folder: string,
	{limitMs, lastWords}: JournalWatchOptions,
): JournalWatch => {
	const closing = new AbortController();
	const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)]);
	const events: Event[] = [];
	const looks = new Set<() => void>();
	let state = emptyState;
	let broken: unknown;
	const seen = () => ({state, events});
	const lookAgain = () => {
		for (const look of [...looks]) {
			look();
		}
	};

	const follow = async (): Promise<void> => {
		try {
			for await (const entries of followBatches(folder, {signal})) {
				for (const entry of entries.filter(isEvent)) {
					events.push(entry);
					state = apply(state, entry);
					lookAgain();
				}
			}
		} catch (error) {
			broken = error;
		}

		lookAgain();
	};

	const following = follow();
	return {
		seen,
		until: (what, find) =>
			new Promise((resolve, reject) => {
				const look = (): void => {
					const found = find(seen());
					if (found !== undefined) {
						looks.delete(look);
						resolve(found);
					} else if (broken !== undefined || signal.aborted) {
						looks.delete(look);
						reject(new Error(missing(what, seen(), lastWords()), {cause: broken}));
					}
				};

				looks.add(look);
				look();
			}),
		close: async () => {
			closing.abort();
			await following;
		},
	};
};

const missing = (what: string, {state, events}: Seen, lastWords: string): string =>
	[
		`This did not come: ${what}.`,
		...events.slice(-30).map(eventText),
		`Open: ${inbox(state)
			.map(({id, agent, title}) => [id, agent, title].join(' '))
			.join('; ')}`,
		lastWords,
	].join('\n');
