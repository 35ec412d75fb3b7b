import {oncePer} from '../../lib/values.ts';
import {choicesOf, type OfferedChoice, type Verb} from '../../rules/commands/choices.ts';
import type {Item, ItemOf} from '../../state/item.ts';
import {hasHunks, isBreakage} from '../../state/items/conflict/breakage.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** Similar choices of an item, by index; only those of a conflict have a common name. */
export type WayOut = {readonly name: string | undefined; readonly choices: readonly number[]};

/** Caches the choices, which each key and each frame needs. */
const offeredIn = oncePer(
	(state: State) =>
		new Map(state.items.map(item => [item.id, choicesOf<Item['kind']>(state, item)])),
);

/** Returns the choices of an item in the order of their indexes. */
export const offeredBy = (state: State, id: string): readonly OfferedChoice[] =>
	offeredIn(state).get(id) ?? [];

/** Returns the choices of an item as they are shown: those of a conflict in groups, the likely one first, others one by one. */
export const waysOf = (state: State, id: string): readonly WayOut[] => {
	const item = itemOf(state, id);
	const offered = offeredBy(state, id);
	const places = [...offered.entries()];
	if (item?.kind !== 'conflict') {
		return places.map(([place]) => ({name: undefined, choices: [place]}));
	}

	const ways = Map.groupBy(places, ([, {verb}]) => wayName(item, verb));
	const likely = wayName(item, likelyVerb(item, offered));
	return [...ways]
		.map(([name, choices]) => ({name, choices: likelyFirst(choices).map(([place]) => place)}))
		.toSorted((one, other) => Number(other.name === likely) - Number(one.name === likely));
};

type Placed = readonly [place: number, choice: OfferedChoice];

/** Moves `sequential` to the end: snapshots seldom apply if both sides changed the same lines; an agent that redoes its work can join both. */
const likelyFirst = (choices: readonly Placed[]): readonly Placed[] => {
	const isLast = ([, {verb}]: Placed) => Number(verb === 'sequential');
	return choices.toSorted((one, other) => isLast(one) - isLast(other));
};

/** Returns the indexes of the choices in the order in which they are shown. */
export const shownOrder = (state: State, id: string): readonly number[] =>
	waysOf(state, id).flatMap(({choices}) => choices);

const wayName = (item: ItemOf<'conflict'>, verb: Verb): string => {
	switch (verb) {
		case 'choose-one':
			return 'Take a side';
		case 'manual':
		case 'done':
			return hasHunks(item) ? 'Hunk by hunk' : 'By hand';
		case 'feedback':
		case 'sequential':
		case 'redo':
			return isBreakage(item) ? 'Send one back' : 'One after the other';
		case 'abort':
			return 'Leave one out';
		case 'accept':
			return 'Leave it as it is';
		default:
			return 'Ask for a proposal';
	}
};

/** Returns the likely choice: a resolution that exists already comes first, then choices that keep both works. */
const likelyVerb = (item: ItemOf<'conflict'>, offered: readonly OfferedChoice[]): Verb => {
	if (offered.some(({verb}) => verb === 'take')) {
		return 'take';
	}

	if (item.manual.phase === 'open') {
		return 'done';
	}

	if (isBreakage(item)) {
		return 'feedback';
	}

	const {a, b} = item.stages;
	return a !== null && b !== null && hasHunks(item) ? 'manual' : 'choose-one';
};
