import type {Subtask} from '../../events/plan.ts';
import type {ItemOf} from '../../state/item.ts';
import {readChoice} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {draftFor, type RequestKind} from '../../supervisor/requests/new-subtask.ts';

/** The agent that a choice adds, with the default subtask. */
export type Added = {
	readonly item: ItemOf<RequestKind>;
	readonly draft: Subtask;
	/** Agent that it replaces. */
	readonly dropped: string | undefined;
};

/** Returns the agent that a choice adds, given as typed; nothing if it adds none. */
export const addedBy = (
	state: State,
	id: string,
	typed: string,
	note?: string,
): Added | undefined => {
	const item = itemOf(state, id);
	if (item?.kind !== 'delegation' && item?.kind !== 'blocker' && item?.kind !== 'failure') {
		return undefined;
	}

	const verb = readChoice<RequestKind>(state, item, typed)?.verb;
	const draft = verb && draftFor(state, item, verb, note);
	return draft && {item, draft, dropped: verb === 'redistribute' ? item.agent : undefined};
};
