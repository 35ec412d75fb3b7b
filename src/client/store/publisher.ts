import {emptyState} from '../../state/state.ts';
import type {Model} from '../model.ts';
import type {ResourceKey} from '../resources/resources.ts';

/** Notifies readers of changes, no more often than a person can follow. */
export type Publisher = {
	/** Marks a change; readers are notified within `tickMs`. */
	readonly touch: () => void;
	/** Notifies readers now, if there was a change since the last time. */
	readonly flush: () => void;
	readonly subscribe: (listener: () => void) => () => void;
	/** Stops all notifications, so that no timer keeps the program running. */
	readonly close: () => void;
};

/** Minimum time between two frames without input, in milliseconds. */
const tickMs = 66;

/** Returns a publisher; `renew` makes the published value, once for each notification. */
export const createPublisher = (renew: () => void): Publisher => {
	const listeners = new Set<() => void>();
	let timer: NodeJS.Timeout | undefined;
	let last = Number.NEGATIVE_INFINITY;
	let closed = false;
	const flush = (): void => {
		if (timer === undefined) {
			return;
		}

		clearTimeout(timer);
		timer = undefined;
		last = performance.now();
		renew();
		for (const listener of listeners) {
			listener();
		}
	};

	return {
		touch: () => {
			if (!closed) {
				timer ??= setTimeout(flush, Math.max(0, last + tickMs - performance.now()));
			}
		},
		flush,
		subscribe: listener => {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		close: () => {
			closed = true;
			clearTimeout(timer);
			timer = undefined;
			listeners.clear();
		},
	};
};

/** Controls of a replay. */
export type Playing = {
	/** Pauses or continues. */
	readonly toggle: () => void;
	/** Moves by a number of events, forward or back, and pauses. */
	readonly step: (events: number) => void;
};

/** The last published model, and a subscription to the next one. */
export type ModelStore = Pick<Publisher, 'subscribe' | 'flush' | 'close'> & {
	readonly model: () => Model;
	/** Fetches resources. */
	readonly want: (resources: readonly ResourceKey[]) => void;
	/** Present only for a recording. */
	readonly playing?: Playing;
};

/** Returns a store without a session, which never changes. */
export const emptyStore = (): ModelStore => {
	const model: Model = {
		...{state: emptyState, questions: [], log: [], tails: {}, activities: {}, resources: {}},
		now: new Date().toISOString(),
		mode: {kind: 'live'},
	};
	return {
		model: () => model,
		subscribe: () => () => {},
		flush: () => {},
		want: () => {},
		close: () => {},
	};
};
