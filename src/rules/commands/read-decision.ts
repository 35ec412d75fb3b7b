import {defined} from '../../lib/defined.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import {readClockChange} from '../../state/items/question/clock.ts';
import {kindOf, readChoice, snoozeWord} from '../../state/items.ts';
import type {State} from '../../state/state.ts';
import type {Verb} from './choices.ts';
import type {Command, Decision, TypedDecision} from './command.ts';

/** What is asked of one item: to decide it, or to leave it open. */
type AboutItem = Extract<Command, {kind: 'decide' | 'snooze' | 'clock'}>;

/** Reads what somebody typed by the words of the item that it is about; nothing if the item takes no such choice. */
export const readDecision = (
	state: State,
	item: ItemOf,
	typed: TypedDecision,
): AboutItem | undefined => putOff(item, typed) ?? decisionOn(state, item, typed);

/** Returns what somebody typed for an item in one word; nothing if the item takes no such choice. */
export const readVerb = (state: State, item: ItemOf, choice: string): Verb | undefined => {
	const read = readDecision(state, item, {item: item.id, choice, by: 'user'});
	return read?.kind === 'decide' ? read.choice.verb : read?.kind;
};

/** What leaves the item as it is, but for when it asks to be looked at. */
const putOff = ({id: item, kind}: ItemOf, {choice, by}: TypedDecision): AboutItem | undefined => {
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
