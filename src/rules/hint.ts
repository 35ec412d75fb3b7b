import type {Item} from '../state/item.ts';
import {itemOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {choicesOf} from './choices.ts';
import type {Command, Decision} from './command.ts';

/**
Returns what to do next about a command that `whyNot` refuses.

`whyNot` says what is in the way and is read in many places; this is for whoever typed the command.
*/
export const hintFor = (state: State, command: Command): string => {
	if (command.kind === 'start') {
		return 'see "delegate-tui status"; "delegate-tui stop" ends it and keeps its work';
	}

	if (!state.session || state.session.ended) {
		return 'delegate-tui run PLAN.yaml starts one';
	}

	if (command.kind !== 'decide' || state.session.stopping !== undefined) {
		return 'delegate-tui status shows where the session stands';
	}

	const item = itemOf(state, command.item);
	return item === undefined
		? 'delegate-tui inbox lists what waits for you'
		: (hintForItem(state, item, command) ??
				"delegate-tui inbox shows what can be chosen, and what can't be now");
};

const hintForItem = (state: State, item: Item, command: Decision): string | undefined => {
	const {choice, note = '', plan, seen} = command;
	const listed = choicesOf(state, item).find(offered => offered.choice === choice);
	if (listed?.note === 'required' && note.trim() === '') {
		return `say it with --note "…"`;
	}

	if (item.kind === 'plan' && choice === 'edit' && plan === undefined) {
		return 'give it with --file PLAN.yaml';
	}

	if (item.kind !== 'conflict' || choice !== 'done') {
		return undefined;
	}

	const again = `then say it again: delegate-tui answer ${item.id} done`;
	return seen?.marked?.length
		? `edit ${seen.marked.join(', ')} until no marker is left, ${again}`
		: `put the files as they should be into its folder "files", ${again}`;
};
