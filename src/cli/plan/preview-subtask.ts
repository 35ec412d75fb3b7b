import type {Subtask} from '../../events/plan.ts';
import {subtaskText} from '../../rules/plan/subtask-file.ts';
import type {ItemOf} from '../../state/item.ts';
import {readChoice} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {draftFor, type RequestKind} from '../../supervisor/requests/new-subtask.ts';
import type {LastSession} from '../here.ts';
import {print} from '../output.ts';

/** The agent that a choice adds, as it is where nobody writes another subtask for it. */
export type Added = {
	readonly item: ItemOf<RequestKind>;
	readonly draft: Subtask;
	/** The agent that is dropped for it. */
	readonly dropped: string | undefined;
};

/** Returns the agent that a choice adds, which is given as it is typed; nothing where it adds none. */
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

/** Prints the subtask of the agent that a choice would add, for a person to change and give back with `--file`. */
export const previewSubtask = (
	{state}: LastSession,
	id: string,
	choice: string,
	note: string | undefined,
): void => {
	const {draft} = addedBy(state, id, choice, note) ?? {};
	print(draft === undefined ? '' : subtaskText(draft).trimEnd());
};
