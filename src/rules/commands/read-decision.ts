import {defined} from '../../lib/defined.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import {kindOf, readChoice, snoozeWord} from '../../state/items.ts';
import type {State} from '../../state/state.ts';
import type {Command, Decision, TypedDecision} from './command.ts';

/** Reads what somebody typed by the words of the item that it is about; nothing if the item takes no such choice. */
export const readDecision = (
	state: State,
	item: ItemOf,
	typed: TypedDecision,
): Command | undefined =>
	typed.choice === snoozeWord
		? {kind: 'snooze', item: item.id, by: typed.by}
		: decisionOn(state, item, typed);

const decisionOn = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	typed: TypedDecision,
): Decision<K> | undefined => {
	const choice = readChoice<K>(state, item, typed.choice);
	if (choice === undefined) {
		return undefined;
	}

	const note = typed.note ?? kindOf<K>(item).noteUnlessGiven(item, choice);
	return {...typed, ...defined({note}), kind: 'decide', on: item.kind, choice};
};
