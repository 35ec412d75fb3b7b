import {type Combination, combine} from '../../conflicts/combine.ts';
import {acceptedAgents, resolutionsAmong} from '../../state/merge/members.ts';
import type {State} from '../../state/state.ts';
import {selected} from '../picking/select-work.ts';
import {requireSession} from '../require-session.ts';
import type {Works} from '../world.ts';

/**
Puts accepted work of agents together on the target's tip, in memory, with what was decided about it so far.

It only looks at the state it is given, so that what would come of a decision is known by the same rule as what comes of it. Whose work is not accepted there is left out, and so is what was decided about others' work.
*/
export const putTogether = async (
	works: Works,
	state: State,
	ids: readonly string[],
): Promise<Combination> => {
	const {tip, base, startedAt} = requireSession(state);
	const agents = acceptedAgents(state).flatMap(({id}) => (ids.includes(id) ? [id] : []));
	const inputs = await selected(works, state, agents);
	return combine(works.store, {
		tip,
		base,
		inputs,
		resolutions: resolutionsAmong(state.resolutions, agents),
		at: startedAt,
	});
};
