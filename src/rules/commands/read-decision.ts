import {defined} from '../../lib/defined.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import {readClockChange} from '../../state/items/question/clock.ts';
import {kindOf, readChoice, snoozeWord} from '../../state/items.ts';
import type {State} from '../../state/state.ts';
import type {Command, Decision, TypedDecision} from './command.ts';

/** Reads what somebody typed by the words of the item that it is about; nothing if the item takes no such choice. */
export const readDecision = (
	state: State,
	item: ItemOf,
	typed: TypedDecision,
): Command | undefined => putOff(item, typed) ?? decisionOn(state, item, typed);

/** What leaves the item as it is, but for when it asks to be looked at. */
const putOff = ({id: item, kind}: ItemOf, {choice, by}: TypedDecision): Command | undefined => {
	const to = kind === 'question' ? readClockChange(choice) : undefined;
	return choice === snoozeWord ? {kind: 'snooze', item, by} : to && {kind: 'clock', item, to, by};
};

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
