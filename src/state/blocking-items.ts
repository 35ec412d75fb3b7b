import type {Agent} from './agent/agent.ts';
import type {Item} from './item.ts';
import {kindOf} from './items.ts';
import {itemsOf} from './select.ts';
import type {State} from './state.ts';

/**
Returns the items without whose decision an agent can't go on.

A delegation that can proceed in parallel is open, too, but holds nobody up; neither does a question that need not be answered.
*/
export const blockingItems = (state: State, agent: Agent): readonly Item[] =>
	itemsOf(state, agent.id).filter(item => kindOf(item).holdsUp(item));
