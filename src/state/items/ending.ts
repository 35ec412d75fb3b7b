import {enumerated} from '../../lib/text/enumerated.ts';
import type {State} from '../state.ts';
import {arbitersWithout} from './conflict/arbiter.ts';
import type {Offer} from './kind.ts';

/** Returns the offer of a choice that takes agents out of the session, of which its label tells. Who only proposes for work that goes with them ends, too. */
export const ending = <Choice>(
	state: State,
	ends: readonly string[],
	offer: Offer<Choice>,
): Offer<Choice> => endingBesides(arbitersWithout(state, ends), {...offer, ends});

/** Returns the offer of a choice by which agents end that it is not about: it names them. */
export const endingBesides = <Choice>(
	agents: readonly string[],
	{ends = [], ...offer}: Offer<Choice>,
): Offer<Choice> => {
	const others = agents.filter(id => !ends.includes(id));
	const are = others.length === 1 ? 'is' : 'are';
	return others.length === 0
		? {...offer, ends}
		: {
				...offer,
				ends: [...ends, ...others],
				label: `${offer.label}; ${enumerated(others)} ${are} ended with it`,
			};
};
