import type {Event} from '../events/event.ts';
import {choicesOf} from '../rules/commands/choices.ts';
import {noRecords, type QuestionRecords, withEvent} from '../rules/question-record.ts';
import {agentOfItem} from '../state/item.ts';
import {itemOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import type {EventLine} from './model.ts';
import {eventText} from './texts/event-text.ts';

export type Told = {readonly known: QuestionRecords; readonly lines: readonly EventLine[]};

/** Returns the records after more events, and the texts of the last ones. */
export const toldAfter = (
	events: readonly Event[],
	{before = noRecords, most = events.length}: {before?: QuestionRecords; most?: number} = {},
): Told => {
	let known = before;
	const lines: EventLine[] = [];
	for (const [index, event] of events.entries()) {
		const named = inWords(known.state, event);
		known = withEvent(known, event);
		if (index >= events.length - most) {
			const waiting = known.state.items.flatMap(item => agentOfItem(item) ?? []);
			lines.push({event, text: eventText(named), waiting});
		}
	}

	return {known, lines};
};

/** Returns an event with its decision in words, if that is typed as more than one word and is no answer. */
const inWords = (state: State, event: Event): Event => {
	const item = event.kind === 'user.decided' ? itemOf(state, event.item) : undefined;
	if (event.kind !== 'user.decided' || item === undefined || !/^[a-z-]+:/.test(event.choice)) {
		return event;
	}

	const taken = choicesOf(state, item).find(({choice}) => choice === event.choice);
	return {...event, choice: taken?.label ?? event.choice};
};
