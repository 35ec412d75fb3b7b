import {setTimeout as wait} from 'node:timers/promises';
import type {Event} from '../../../events/event.ts';
import type {Item} from '../../../state/item.ts';
import {kindOf, readChoice} from '../../../state/items.ts';
import type {State} from '../../../state/state.ts';
import {createScript, decide, decisionLines, offerLines} from '../decide.ts';
import type {Decision, Scene} from '../scene.ts';
import {eventPassage} from './event-passage.ts';
import {itemPassage} from './item-passage.ts';
import {createPage} from './page.ts';
import type {Stage} from './stage.ts';

export type NarratorParts = {
	readonly stage: Stage;
	readonly scene: Scene;
	/** How long a reader gets for a new chapter, in milliseconds. */
	readonly paceMs: number;
	/** Ends the story. */
	readonly signal: AbortSignal;
};

/** Tells events that came together, then decides what waits after them. */
export type Narrator = (events: readonly Event[], state: State) => Promise<void>;

/**
Returns the teller of a scene.

It must be called with one batch after the other. What it tells may lag behind what happens: the agents don't wait for the reader, only those that asked something wait for its decision.
*/
export const createNarrator = ({stage, scene, paceMs, signal}: NarratorParts): Narrator => {
	const page = createPage();
	const script = createScript(scene.decisions);
	const decided = new Set<string>();
	const shown = new Set<string>();
	const read = (ms: number) => wait(ms, undefined, {signal});

	return async (events, state) => {
		for (const event of events) {
			signal.throwIfAborted();
			const passage = await eventPassage(event, state, stage);
			if (passage && page.show(passage)) {
				await read(paceMs);
			}
		}

		for (const item of state.items.filter(({id}) => !decided.has(id))) {
			const decision = script.next(item, state);
			if (decision === undefined) {
				continue;
			}

			if (!staysOpen(item, state, decision) || !script.hasMore(item)) {
				decided.add(item.id);
			}

			page.space();
			const isNew = !shown.has(item.id) && page.show(await itemPassage(item, state, stage));
			shown.add(item.id);
			page.show({lines: isNew ? offerLines(state, item) : []});
			await read(isNew ? paceMs : paceMs / 3);
			page.show({lines: decisionLines(item, decision)});
			page.space();
			await decide(stage, item, decision);
		}
	};
};

/** Whether it is decided in another way once this was done. */
const staysOpen = (item: Item, state: State, {choice}: Decision): boolean => {
	const read = readChoice(state, item, choice);
	return read !== undefined && kindOf(item).staysOpen(read);
};
