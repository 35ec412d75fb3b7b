import {readJournal} from '../../src/journal/read.ts';
import {waitsFor} from '../../src/rules/effects/slots.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {fold, isEvent} from '../../src/state/apply/apply.ts';
import {blockingItems} from '../../src/state/items.ts';
import {takesReplies} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';

/**
Returns whether a session continues only when its person acts.

If the person acts only then, the same agents make the same session on a machine of any speed.
*/
export const isAtRest = async (journal: string): Promise<boolean> => {
	const {entries} = await readJournal(journal);
	const state = fold(entries.filter(isEvent));
	return state.agents.every(agent => !isMoving(state, agent));
};

const isMoving = (state: State, agent: Agent): boolean => {
	switch (agent.state) {
		case 'SPAWNING':
			return true;
		case 'RUNNING':
			// An agent with open input waits there for an answer.
			return !takesReplies(agent) || blockingItems(state, agent).length === 0;
		case 'PENDING':
			return waitsFor(state, agent).length === 0;
		default:
			return agent.replies.length > 0;
	}
};
