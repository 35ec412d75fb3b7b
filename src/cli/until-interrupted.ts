import {Failure} from '../lib/failure.ts';

/** Lends a signal that aborts, for the reason given in a sentence, when a person or the system stops this process, so that what it runs ends and its folders go. */
export const untilInterrupted = (sentence: string): Disposable & {readonly signal: AbortSignal} => {
	const controller = new AbortController();
	const stop = () => controller.abort(new Failure('refused', sentence));
	for (const name of signals) {
		process.once(name, stop);
	}

	return {
		signal: controller.signal,
		[Symbol.dispose]: () => {
			for (const name of signals) {
				process.off(name, stop);
			}
		},
	};
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
