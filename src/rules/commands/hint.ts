import type {Kind} from '../../state/item.ts';
import {kindOf} from '../../state/items.ts';
import type {State} from '../../state/state.ts';
import type {Command, Decision} from './command.ts';
import {decidedItem, lacksNote} from './decided-item.ts';
import {hintForSteering} from './why-not-steer.ts';

/**
Returns what to do next about a command that `whyNot` refuses.

`whyNot` says what is in the way and is read in many places; this is for whoever typed the command.
*/
export const hintFor = (state: State, command: Command): string => {
	switch (command.kind) {
		case 'start':
			return 'see "delegate-tui status"; "delegate-tui stop" ends it and keeps its work';
		case 'stop':
		case 'add':
			return hintAtRest(state) ?? status;
		case 'withdraw':
			return hintAtRest(state) ?? hintForWithdrawal(state);
		case 'steer':
			return hintAtRest(state) ?? hintForSteering(state, command);
		case 'snooze':
		case 'clock':
		case 'answer':
			return hintForGone(state);
		case 'decide':
			return hintAtRest(state) ?? hintForDecision(state, command);
	}
};

/** Returns what to do next where an item is gone. */
export const hintForGone = (state: State): string =>
	hintAtRest(state) ?? 'delegate-tui inbox lists what waits for you';

const hintAtRest = ({session}: State): string | undefined => {
	if (!session || session.ended) {
		return 'delegate-tui run PLAN.yaml starts one';
	}

	return session.stopping === undefined ? undefined : status;
};

const hintForWithdrawal = ({allowances}: State): string =>
	allowances.length === 0
		? 'no agent has any'
		: `take one of: ${allowances.map(({id}) => id).join(', ')}`;

const status = 'delegate-tui status shows where the session stands';

const hintForDecision = <K extends Kind>(state: State, decision: Decision<K>): string => {
	const item = decidedItem(state, decision);
	if (item === undefined) {
		return hintForGone(state);
	}

	if (lacksNote(state, item, decision)) {
		return `say it with --note "…"`;
	}

	return (
		kindOf<K>(item).hint(item, decision.choice, decision) ??
		'delegate-tui inbox shows what can be chosen, and what can’t be now'
	);
};
