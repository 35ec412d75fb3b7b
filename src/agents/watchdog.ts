import type {Silence} from '../events/event.ts';

/** Notices that nothing comes from an agent any more. */
export type Watchdog = {
	/** Something came. */
	readonly heard: () => void;
	/** The agent waits for this work of ours, so its silence means nothing until then. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
	readonly end: () => void;
};

/** How a turn tells of silence. */
export type SilenceOptions = {
	/** After how long without a word `onSilence` is called, in milliseconds. */
	readonly quietMs?: number;
	/** Called when nothing comes any more, and with nothing once something comes again. */
	readonly onSilence?: (silence: Silence | undefined) => void;
};

export type WatchdogParts = {
	/** After how long without a word it is told, and then told again, in milliseconds; models think for a while without one. */
	readonly quietMs?: number;
	/** Called with the time since which nothing came, as an ISO string, and with nothing once something comes again. */
	readonly onSilence: (since: string | undefined) => void;
};

/** Two minutes are longer than models think without a word. */
const defaultQuietMs = 120_000;

/**
Creates a watchdog for a turn that is under way.

An agent whose model does not answer may try again for a long while without a word. Whether it still works can't be told from outside; since when it is silent can.
*/
export const createWatchdog = ({quietMs = defaultQuietMs, onSilence}: WatchdogParts): Watchdog => {
	let since = new Date().toISOString();
	let awaited = 0;
	let ended = false;
	let told = false;
	const timer = setInterval(() => {
		if (awaited === 0) {
			told = true;
			onSilence(since);
		}
	}, quietMs);
	timer.unref();

	const heard = (): void => {
		since = new Date().toISOString();
		if (!ended) {
			timer.refresh();
		}

		if (told) {
			told = false;
			onSilence(undefined);
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
		},
	};
};
