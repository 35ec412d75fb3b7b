import {Failure} from '../../lib/failure.ts';

/** Lends a signal that aborts when a person stops this process, so that what it runs ends and its folders go. */
export const untilInterrupted = (): Disposable & {readonly signal: AbortSignal} => {
	const controller = new AbortController();
	const stop = () => controller.abort(new Failure('refused', 'The comparison was interrupted.'));
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
