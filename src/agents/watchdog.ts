import type {Silence} from '../events/event.ts';
import {defined} from '../lib/values.ts';

/** Notices that an agent has become silent. */
export type Watchdog = {
	/** Something came; a first word may still be to come where it was none. */
	readonly heard: (isWord?: boolean) => void;
	/** The agent waits for this work of ours, so its silence means nothing until then. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
	readonly end: () => void;
};

/** How a turn tells of silence. */
export type SilenceOptions = {
	/** After how long without a word `onSilence` is called, in milliseconds. */
	readonly quietMs?: number;
	/** Called when nothing comes any more, and with nothing once something comes again, also after `onQuiet`. */
	readonly onSilence?: (silence: Silence | undefined) => void;
	/** After how long without a first word `onQuiet` is called, in milliseconds. */
	readonly firstMs?: number;
	/** Called when no word of the model has come since the turn began. */
	readonly onQuiet?: () => void;
	/** Called with each word of the model. */
	readonly onAnswer?: () => void;
};

/** Two minutes are longer than models think without a word. */
const defaultQuietMs = 120_000;

/** Most models have begun to answer by then; a service that was asked too much may be waited for without a word. */
const defaultFirstMs = 15_000;

/**
Starts a watchdog for a turn.

It can't tell whether a silent agent works or only retries its model, so it reports since when the agent is silent, again and again.

@param during Returns the title of the tool that runs, if one does.
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
