import type {Agent} from './agent/agent.ts';
import {isAwaiting} from './agent/awaiting.ts';
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

/** Returns whether an agent can't go on as things stand: a person has to decide first, or another agent to do what it handed on. */
export const isHeldUp = (state: State, agent: Agent): boolean =>
	isAwaiting(agent) || blockingItems(state, agent).length > 0;
