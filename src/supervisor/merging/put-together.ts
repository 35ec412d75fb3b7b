import {type Combination, combine} from '../../conflicts/combine.ts';
import {acceptedAgents} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {selected} from '../requests/select-work.ts';
import {requireSession} from '../require-session.ts';
import type {Works} from '../world.ts';
import {inputOf} from './ground.ts';

/**
Puts all accepted work together on the target's tip, in memory, with what was decided about it so far.

It only looks at the state it is given, so that what would come of a decision is known by the same rule as what comes of it.
*/
export const putTogether = async (works: Works, state: State): Promise<Combination> => {
	const {tip, base, startedAt} = requireSession(state);
	const inputs = await Promise.all(
		acceptedAgents(state).flatMap(agent => {
			const input = inputOf(agent);
			return input === undefined ? [] : [selected(works, agent, input, startedAt)];
		}),
	);
	return combine(works.store, {
		tip,
		base,
		inputs,
		resolutions: state.resolutions,
		at: startedAt,
	});
};
