import type {AgentOrder} from '../events/agent-order.ts';
import {Failure} from '../lib/failure.ts';
import {didYouMean} from '../rules/plan/did-you-mean.ts';

export const verbs = ['stop'] as const satisfies readonly AgentOrder['verb'][];

/** Reads what one agent is to do, as it is typed behind its id. */
export const readOrder = (verb: string, words: readonly string[]): AgentOrder => {
	switch (verb) {
		case 'stop':
			return without(words, {verb});
		default: {
			const meant = didYouMean(verb, verbs);
			throw new Failure('usage', `"${verb}" is nothing that an agent can be had do.`, {
				hint: meant === undefined ? `take one of: ${verbs.join(', ')}` : `did you mean "${meant}"?`,
			});
		}
	}
};

const without = (words: readonly string[], order: AgentOrder): AgentOrder => {
	if (words.length > 0) {
		throw new Failure('usage', `"${order.verb}" takes no words: ${words.join(' ')}`);
	}

	return order;
};
