import {type Combination, combine} from '../../conflicts/combine.ts';
import {target} from '../../conflicts/input.ts';
import {acceptedAgents} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {selected} from '../picking/select-work.ts';
import {requireSession} from '../require-session.ts';
import type {Works} from '../world.ts';

/**
Puts all accepted work together on the target's tip, in memory, with what was decided about it so far.

It only looks at the state it is given, so that what would come of a decision is known by the same rule as what comes of it.

@param only Some of those whose work is accepted; what was decided about others' work does not count then.
*/
export const putTogether = async (
	works: Works,
	state: State,
	only?: readonly string[],
): Promise<Combination> => {
	const {tip, base, startedAt} = requireSession(state);
	const isIn = (id: string) => only === undefined || id === target || only.includes(id);
	const agents = acceptedAgents(state).map(({id}) => id);
	const inputs = await selected(works, state, agents.filter(isIn));
	return combine(works.store, {
		tip,
		base,
		inputs,
		resolutions: state.resolutions.filter(({a, b}) => [...a, ...b].every(isIn)),
		at: startedAt,
	});
};
