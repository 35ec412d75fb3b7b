import type {Body} from '../../events/event.ts';
import {freeze, thaw} from '../../lib/process/freeze.ts';
import type {Effect} from '../../rules/effects/effect.ts';
import type {World} from '../world.ts';

type Pause = Extract<Effect, {do: 'pause' | 'continue'}>;

/** Freezes all that an agent runs, or lets it go on; it keeps its pipes and knows nothing of it. With the rest that a session runs it may stand still already. */
export const pause = (world: World, {do: what, agent, turn}: Pause): readonly Body[] => {
	const live = world.turns.get(agent);
	if (!live) {
		return [];
	}

	if (what === 'pause') {
		freeze(live);
		return [{kind: 'turn.changed', agent, turn, to: 'paused'}];
	}

	thaw(live);
	return [{kind: 'turn.changed', agent, turn, to: 'going'}];
};
