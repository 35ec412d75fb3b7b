import {watch} from 'node:fs';

/** Tells a reader when to look again. */
export type Wake = {
	/** Resolves when the folder changed since the last call, or after a while, or at the end. */
	readonly next: () => Promise<void>;
	readonly close: () => void;
};

/**
Watches a folder, which need not be there yet.

The operating system may drop or delay what it reports, and some file systems report nothing, so a slow poll stands behind it.
*/
export const wakeOnChange = (folder: string, pollMs: number, signal?: AbortSignal): Wake => {
	let changed = Promise.withResolvers<void>();
	const wake = () => changed.resolve();
	let watcher = watchIfThere(folder, wake);
	const poll = setInterval(() => {
		watcher ??= watchIfThere(folder, wake);
		wake();
	}, pollMs);
	signal?.addEventListener('abort', wake);

	return {
		next: async () => {
			await changed.promise;
			if (!signal?.aborted) {
				changed = Promise.withResolvers();
			}
		},
		close: () => {
			clearInterval(poll);
			watcher?.close();
			signal?.removeEventListener('abort', wake);
		},
	};
};

const watchIfThere = (folder: string, wake: () => void) => {
	try {
		// A watcher that fails later, because the folder went away for example, leaves the poll.
		return watch(folder, wake).on('error', wake);
	} catch {
		return undefined;
	}
};
