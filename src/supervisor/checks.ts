import type {EffectKey} from '../events/effect-key.ts';
import {isSame} from '../lib/is-same.ts';
import {checkEffects} from '../rules/effects/checking.ts';
import {commandEffects} from '../rules/effects/commands.ts';
import {mergeEffects} from '../rules/effects/merging.ts';
import type {State} from '../state/state.ts';

/** Checks that run, of results and of one agent's work, and commands that people have run for agents. */
export type Checks = {
	/**
	Runs a check or a command in a folder, until it ends or nobody wants to know any more.

	@returns `undefined` where nobody does; then nothing of it runs any more.
	*/
	readonly run: <Result>(
		key: EffectKey,
		folder: string,
		work: (signal: AbortSignal) => Promise<Result>,
	) => Promise<Result | undefined>;
	/** Ends those that the state owes no more: a person has decided meanwhile, or what was checked is old. */
	readonly letGo: (state: State) => void;
	/** Returns whether a check runs in a folder. */
	readonly isBusy: (folder: string) => boolean;
};

type Running = {
	readonly key: EffectKey;
	readonly folder: string;
	readonly abort: AbortController;
};

export const createChecks = (): Checks => {
	const running = new Set<Running>();
	let isWanted = (_: EffectKey): boolean => true;
	return {
		run: async (key, folder, work) => {
			if (!isWanted(key)) {
				return undefined;
			}

			const check: Running = {key, folder, abort: new AbortController()};
			running.add(check);
			const {signal} = check.abort;
			try {
				return await work(signal);
			} catch (error) {
				if (signal.aborted) {
					return undefined;
				}

				throw error;
			} finally {
				running.delete(check);
			}
		},
		letGo: state => {
			const wanted =
				state.session?.ended === undefined
					? [...mergeEffects(state), ...checkEffects(state), ...commandEffects(state)]
					: [];
			isWanted = key => wanted.some(effect => isSame(effect.key, key));
			for (const {key, abort} of running) {
				if (!isWanted(key)) {
					abort.abort();
				}
			}
		},
		isBusy: folder => [...running].some(check => check.folder === folder),
	};
};
