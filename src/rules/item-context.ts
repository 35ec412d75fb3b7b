import type {ItemContext} from '../state/items/kind.ts';
import type {State} from '../state/state.ts';
import {collisionWords} from './collisions.ts';
import {freeSlots} from './effects/slots.ts';
import {overlapOf, reachOf} from './plan/overlap.ts';

/** Returns what the rules know of the session around an item. */
export const itemContextIn = (state: State): ItemContext => ({
	freeSlots: freeSlots(state),
	collisions: id => collisionWords(state, id),
	sharing: id => {
		const own = state.agents.find(agent => agent.id === id);
		return own === undefined || own.subtask.scope.allowed.length === 0
			? []
			: state.agents
					.filter(
						other =>
							other.state !== 'ABORTED' &&
							other.state !== 'MERGED' &&
							(other === own || overlapOf(reachOf(own.subtask, []), reachOf(other.subtask, []))),
					)
					.map(other => other.id);
	},
});
