import {isEvent} from '../../src/events/decode.ts';
import {readJournal} from '../../src/journal/read.ts';
import {waitsFor} from '../../src/rules/effects/slots.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {blockingItems} from '../../src/state/items.ts';
import {takesReplies} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';

/**
Returns whether a session goes on only when its person does something.

A person who acts no sooner makes the same session of the same agents, however fast the machine is.
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
			// One whose input stays open waits for an answer there.
			return !takesReplies(agent) || blockingItems(state, agent).length === 0;
		case 'PENDING':
			return waitsFor(state, agent).length === 0;
		default:
			return agent.replies.length > 0;
	}
};
