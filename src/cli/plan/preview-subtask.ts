import {subtaskText} from '../../rules/plan/subtask-text.ts';
import type {Item, ItemOf} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import {draftFor} from '../../supervisor/requests/new-subtask.ts';
import type {LastSession} from '../here.ts';
import {print} from '../output.ts';

type Taking = ItemOf<'delegation'> | ItemOf<'blocker'> | ItemOf<'failure'>;

/** Returns whether a choice adds an agent, whose subtask a person can write. */
export const takesSubtask = (item: Item | undefined, choice: string): item is Taking => {
	switch (item?.kind) {
		case 'delegation':
			return choice === 'approve' || choice === 'edit';
		case 'blocker':
			return choice === 'delegate' || choice === 'delegate-wait';
		case 'failure':
			return choice === 'redistribute';
		default:
			return false;
	}
};

/** Returns the agent that is dropped for the one that a choice adds. */
export const droppedBy = (item: Item | undefined, choice: string): string | undefined =>
	item?.kind === 'failure' && choice === 'redistribute' ? item.agent : undefined;

/** Prints the subtask of the agent that a choice would add, for a person to change and give back with `--file`. */
export const previewSubtask = (
	{state}: LastSession,
	id: string,
	choice: string,
	note: string | undefined,
): void => {
	const item = itemOf(state, id);
	const draft = takesSubtask(item, choice) ? draftFor(state, item, choice, note) : undefined;
	print(draft === undefined ? '' : subtaskText(draft).trimEnd());
};
