import type {Reply} from '../../events/reply.ts';
import type {Signal} from '../../signals/index.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {CallResult} from '../../tools/wire.ts';
import {answeredResult, parkedResult} from './answer-words.ts';

/** Calls of agents that wait for a person. */
export type HeldCalls = {
	/** Waits for the result of a call that asked these items. */
	readonly hold: (call: Held) => Promise<CallResult>;
	/** Gives replies to the calls that wait for them; returns the items whose replies somebody took. */
	readonly give: (agent: string, replies: readonly Reply[]) => readonly string[];
	/** Lets go the calls for which, by the state, nobody is to wait any longer. */
	readonly letGo: (state: State) => void;
};

type Held = {
	readonly agent: string;
	/** What the call said. */
	readonly signal: Signal;
	readonly items: readonly string[];
	/** Aborts when the agent doesn't listen any more. */
	readonly gone: AbortSignal;
};

type Waiting = Held & {readonly settle: (result: CallResult) => void};

/** Creates the place where calls wait; the state says how long each may. */
export const createHeldCalls = (): HeldCalls => {
	const waiting = new Set<Waiting>();

	const settle = (call: Waiting, result: CallResult): void => {
		waiting.delete(call);
		call.settle(result);
	};

	return {
		hold: held =>
			new Promise(resolve => {
				const call = {...held, settle: resolve};
				waiting.add(call);
				const abandon = (): void => settle(call, parkedResult(held.signal, held.items));
				held.gone.addEventListener('abort', abandon, {once: true});
				if (held.gone.aborted) {
					abandon();
				}
			}),
		give: (agent, replies) => {
			const taken: string[] = [];
			for (const call of [...waiting].filter(call => call.agent === agent)) {
				const own = replies.filter(({item}) => call.items.includes(item));
				if (own.length > 0) {
					taken.push(...own.map(({item}) => item));
					settle(call, answeredResult(own));
				}
			}

			return taken;
		},
		letGo: state => {
			for (const call of [...waiting].filter(call => !isListening(state, call))) {
				settle(call, parkedResult(call.signal, call.items));
			}
		},
	};
};

const isListening = (state: State, {agent, items}: Held): boolean =>
	agentOf(state, agent)?.listening.some(call => items.some(item => call.items.includes(item))) ??
	false;
