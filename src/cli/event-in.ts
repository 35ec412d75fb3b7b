import {isEvent} from '../events/decode.ts';
import type {Event} from '../events/event.ts';
import {Failure} from '../lib/failure.ts';

/** Returns the event that a granted command became, as the supervisor answers it. */
export const eventIn = (answer: unknown): Event => {
	const event =
		typeof answer === 'object' && answer !== null && 'event' in answer ? answer.event : undefined;
	if (
		typeof event === 'object' &&
		event !== null &&
		'kind' in event &&
		typeof event.kind === 'string'
	) {
		const entry = {...event, kind: event.kind};
		if (isEvent(entry)) {
			return entry;
		}
	}

	throw new Failure('internal', 'The supervisor gave an answer that says nothing.');
};
