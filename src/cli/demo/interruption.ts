import {Failure} from '../../lib/failure.ts';

/** What ends the demo before its story does: Ctrl-C and its kin, a reader that went away, a story that fails. */
export type Interruption = {
	/** Aborts with a `Failure` as its reason. */
	readonly signal: AbortSignal;
	readonly interrupt: (reason: unknown) => void;
	/** Rejects with the reason; never settles otherwise. */
	readonly happened: Promise<never>;
};

/**
Catches what would end this process, so that the session can be ended first: its supervisor lives in the background and would wait for decisions that nobody takes.
*/
export const catchInterruption = (): Interruption => {
	const controller = new AbortController();
	const {promise, reject} = Promise.withResolvers<never>();
	promise.catch(() => {});
	const interrupt = (reason: unknown): void => {
		controller.abort(reason);
		reject(controller.signal.reason);
	};

	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => interrupt(new Failure('refused', 'The demo was interrupted.')));
	}

	process.stdout.removeAllListeners('error');
	process.stdout.on('error', () => interrupt(new Failure('refused', 'Nobody reads the demo.')));
	return {signal: controller.signal, interrupt, happened: promise};
};
