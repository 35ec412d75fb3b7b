/** Notices that nothing comes from an agent any more. */
export type Watchdog = {
	/** Something came. */
	readonly heard: () => void;
	/** The agent waits for this work of ours, so its silence means nothing until then. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
	readonly end: () => void;
};

export type WatchdogParts = {
	/** After how long without a word it is told, and then told again, in milliseconds. */
	readonly quietMs: number;
	/** Called with the time since which nothing came, as an ISO string. */
	readonly onSilence: (since: string) => void;
};

/**
Creates a watchdog for a prompt that is under way.

An agent whose model does not answer may try again for a long while without a word. Whether it still works can't be told from outside; since when it is silent can.
*/
export const createWatchdog = ({quietMs, onSilence}: WatchdogParts): Watchdog => {
	let since = new Date().toISOString();
	let awaited = 0;
	let ended = false;
	const timer = setInterval(() => {
		if (awaited === 0) {
			onSilence(since);
		}
	}, quietMs);
	timer.unref();

	const heard = (): void => {
		since = new Date().toISOString();
		if (!ended) {
			timer.refresh();
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
