import type {ResourceKey} from '../../../../client/resources/resources.ts';
import {choicesOf, type OfferedChoice} from '../../../../rules/commands/choices.ts';
import {buildKey} from '../../../../rules/effects/merging.ts';
import type {ItemOf} from '../../../../state/item.ts';
import {isBreakage} from '../../../../state/items/conflict/breakage.ts';
import {checkingOf} from '../../../../state/items/conflict/words.ts';
import type {State} from '../../../../state/state.ts';
import type {ItemPlace, View} from '../../../model/view.ts';

type Conflict = ItemOf<'conflict'>;

/** Returns the resource with what a side of a conflict did to its path, or to all paths at which it shows. */
export const sideKey = (item: Conflict, side: 'a' | 'b'): ResourceKey => ({
	what: {of: 'side', item: item.id, side},
	state: isBreakage(item) ? JSON.stringify(item.files) : (item.stages[side]?.oid ?? 'nothing'),
});

/** Returns the choice whose outcome is looked at: the one gone to, and before that the one that takes what was made by hand. */
export const choiceInSight = (
	state: State,
	item: Conflict,
	{cursor}: ItemPlace,
): OfferedChoice | undefined => {
	const offered = choicesOf(state, item);
	return (
		offered[cursor ?? -1] ??
		(item.manual.phase === 'open' ? offered.find(({verb}) => verb === 'done') : undefined)
	);
};

/** Returns the resource with what a choice would make of the path, as everything stands now. */
export const outcomeKey = (
	state: State,
	{looks}: View,
	item: Conflict,
	{choice, verb}: OfferedChoice,
): ResourceKey => {
	const open = state.items.flatMap(item => (item.kind === 'conflict' ? [item.id] : []));
	const look = verb === 'done' ? looks : 0;
	const stand = [state.merge.phase, open, buildKey(state), look, checkingOf(item, choice)];
	return {what: {of: 'outcome', item: item.id, choice}, state: JSON.stringify(stand)};
};

/** Returns the resources that an open conflict is drawn from. */
export const conflictKeys = (
	state: State,
	view: View,
	item: Conflict,
	place: ItemPlace,
): readonly ResourceKey[] => {
	if (place.shows === 'facts') {
		return [sideKey(item, 'a'), sideKey(item, 'b')];
	}

	const choice = choiceInSight(state, item, place);
	return choice === undefined ? [] : [outcomeKey(state, view, item, choice)];
};
