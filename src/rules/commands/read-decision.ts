import {defined} from '../../lib/values.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import type {ItemContext} from '../../state/items/kind.ts';
import {kindOf, readChoice, snoozeWord} from '../../state/items.ts';
import type {State} from '../../state/state.ts';
import {collisionWords} from '../collisions.ts';
import {freeSlots} from '../effects/slots.ts';
import {reachOf, reachOverlap} from '../plan/overlap.ts';
import type {Verb} from './choices.ts';
import type {Command, Decision, TypedDecision} from './command.ts';

type AboutItem = Extract<Command, {kind: 'decide' | 'snooze'}>;

/** Reads typed words as a choice of the item, or returns nothing if the item has no such choice. */
export const readDecision = (
	state: State,
	item: ItemOf,
	typed: TypedDecision,
): AboutItem | undefined =>
	typed.choice === snoozeWord
		? {kind: 'snooze', item: item.id, by: typed.by}
		: decisionOn(state, item, typed);

/** Returns the verb of typed words, or nothing if the item has no such choice. */
export const readVerb = (state: State, item: ItemOf, choice: string): Verb | undefined => {
	const read = readDecision(state, item, {item: item.id, choice, by: 'user'});
	return read?.kind === 'decide' ? read.choice.verb : read?.kind;
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

/** Returns the facts about the session that the rules of items need. */
export const itemContextIn = (state: State): ItemContext => ({
	freeSlots: freeSlots(state),
	collisions: id => collisionWords(state, id),
	sharing: id => {
		const own = state.agents.find(agent => agent.id === id);
		return own === undefined || own.subtask.scope.allowed.length === 0
			? []
			: state.agents
					.filter(
						other =>
							other.state !== 'ABORTED' &&
							other.state !== 'MERGED' &&
							(other === own || reachOverlap(reachOf(own.subtask, []), reachOf(other.subtask, []))),
					)
					.map(other => other.id);
	},
});
