import {emptyState} from '../../state/state.ts';
import type {Model} from '../model.ts';
import type {ResourceKey} from '../resources/resources.ts';

/** Tells readers that there is something new, no more often than a person can follow. */
export type Publisher = {
	/** Says that something has changed; readers are told within `tickMs`. */
	readonly touch: () => void;
	/** Tells readers now, if anything has changed since they were told. */
	readonly flush: () => void;
	readonly subscribe: (listener: () => void) => () => void;
	/** Nothing is told after it, whatever still comes, so that nothing keeps the program running. */
	readonly close: () => void;
};

/** Least time between two frames that nobody asked for, in milliseconds. */
const tickMs = 66;

/** `renew` makes what is published, once for each time it is. */
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

/** How a recording is played. */
export type Playing = {
	/** Pauses, or goes on. */
	readonly toggle: () => void;
	/** Goes so many events forth, or back, and stays there. */
	readonly step: (events: number) => void;
};

/** The model as last published, and a subscription to the next one. */
export type ModelStore = {
	readonly model: () => Model;
	readonly subscribe: (listener: () => void) => () => void;
	/** Publishes at once what has come; before a key is judged, for example. */
	readonly flush: () => void;
	/** Fetches resources. */
	readonly want: (resources: readonly ResourceKey[]) => void;
	/** Only of a recording. */
	readonly playing?: Playing;
	readonly close: () => void;
};

/** A store of no session, from which nothing ever comes. */
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
