import type {Silence} from '../events/event.ts';
import {defined} from '../lib/values.ts';

/** Detects when an agent falls silent. */
export type Watchdog = {
	/** Records output; `isWord` is false if it isn't from the model. */
	readonly heard: (isWord?: boolean) => void;
	/** Ignores silence while the agent waits for our own work. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
	readonly end: () => void;
};

/** Callbacks and limits of silence. */
export type SilenceOptions = {
	/** Silence after which `onSilence` is called, in milliseconds. */
	readonly quietMs?: number;
	/** Called when an agent falls silent, and with `undefined` once it writes again, also after `onQuiet`. */
	readonly onSilence?: (silence: Silence | undefined) => void;
	/** Time without a first word after which `onQuiet` is called, in milliseconds. */
	readonly firstMs?: number;
	/** Called when the model has written no word since the turn began. */
	readonly onQuiet?: () => void;
	/** Called with each word of the model. */
	readonly onAnswer?: () => void;
};

/** Two minutes, which is longer than models think silently. */
const defaultQuietMs = 120_000;

/** Most models have begun to answer by then; an agent may silently wait for an overloaded service. */
const defaultFirstMs = 15_000;

/**
Starts a watchdog for a turn.

It can't tell whether a silent agent works or only retries its model, so it repeatedly reports the start of the silence.

@param during Returns the title of the running tool, if any.
*/
export const createWatchdog = (
	{
		quietMs = defaultQuietMs,
		firstMs = defaultFirstMs,
		onSilence,
		onQuiet,
		onAnswer,
	}: SilenceOptions,
	during: () => string | undefined = () => undefined,
): Watchdog => {
	let since = new Date().toISOString();
	let awaited = 0;
	let ended = false;
	let told = false;
	let quiet = false;
	const first = setTimeout(() => {
		if (awaited === 0) {
			quiet = true;
			onQuiet?.();
		}
	}, firstMs);
	first.unref();
	const timer = setInterval(() => {
		if (awaited === 0) {
			told = true;
			onSilence?.({since, ...defined({during: during()})});
		}
	}, quietMs);
	timer.unref();

	const heard = (isWord = true): void => {
		since = new Date().toISOString();
		if (!ended) {
			timer.refresh();
		}

		if (isWord) {
			clearTimeout(first);
			onAnswer?.();
		}

		if (told || (quiet && isWord)) {
			told = false;
			quiet = quiet && !isWord;
			onSilence?.(undefined);
		}
	};

	return {
		heard,
		during: async work => {
			awaited += 1;
			try {
				return await work();
			} finally {
				awaited -= 1;
				heard();
			}
		},
		end: () => {
			ended = true;
			clearInterval(timer);
			clearTimeout(first);
		},
	};
};
