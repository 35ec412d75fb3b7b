import type {Event} from '../../events/event.ts';
import {defined} from '../../lib/values.ts';
import type {Signal} from '../../signals/index.ts';
import {apply} from '../../state/apply/apply.ts';
import {itemOf} from '../../state/select.ts';
import {emptyState} from '../../state/state.ts';

/** What led to a snapshot of an agent's work. */
export type Trail = {
	readonly reason: string;
	readonly at: string;
	/** What the agent had said last. */
	readonly said?: Signal;
	/** What it had asked last and was answered, by whom. */
	readonly asked?: {
		readonly item: string;
		readonly question: string;
		readonly answer: string;
		readonly note?: string;
	};
};

/** Returns what led to an agent's snapshot of that number, from all events of a session; nothing when they know of none. */
export const trailOf = (
	events: Iterable<Event>,
	agent: string,
	snapshot: number,
): Trail | undefined => {
	let state = emptyState;
	let said: Signal | undefined;
	let asked: Trail['asked'];
	for (const event of events) {
		if (event.kind === 'signal.said' && event.agent === agent && isShown(event.signal)) {
			said = event.signal;
		} else if (event.kind === 'user.decided') {
			const item = itemOf(state, event.item);
			if (item?.kind === 'question' && item.agent === agent) {
				asked = {
					item: item.id,
					question: item.question.question,
					answer: event.choice,
					...defined({note: event.note}),
				};
			}
		} else if (
			event.kind === 'snapshot.taken' &&
			event.agent === agent &&
			event.number === snapshot
		) {
			return {
				reason: event.reason,
				at: event.at,
				...defined({said, asked}),
			};
		}

		state = apply(state, event);
	}

	return undefined;
};

/** A question is told with its answer, and what can't be read tells nothing. */
const isShown = ({kind}: Signal): boolean =>
	kind !== 'clarification_needed' && kind !== 'malformed';
