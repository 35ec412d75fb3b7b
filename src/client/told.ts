import type {Event} from '../events/event.ts';
import {noRecords, type QuestionRecords, withEvent} from '../rules/question-record.ts';
import {agentOfItem} from '../state/item.ts';
import type {EventLine} from './model.ts';
import {eventText} from './texts/event-text.ts';

export type Told = {readonly known: QuestionRecords; readonly lines: readonly EventLine[]};

/** Returns what is known after more events, and how the last of them are told. */
export const toldAfter = (
	events: readonly Event[],
	{before = noRecords, most = events.length}: {before?: QuestionRecords; most?: number} = {},
): Told => {
	let known = before;
	const lines: EventLine[] = [];
	for (const [index, event] of events.entries()) {
		known = withEvent(known, event);
		if (index >= events.length - most) {
			const waiting = known.state.items.flatMap(item => agentOfItem(item) ?? []);
			lines.push({event, text: eventText(event), waiting});
		}
	}

	return {known, lines};
};
