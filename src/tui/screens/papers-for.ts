import type {Item} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {hunksAt, hunksKey, trailKey} from '../model/hunks.ts';
import type {Context, HunksPlace} from '../model/view.ts';
import {conflictKeys} from './items/conflict-papers.ts';
import {newWorkKey, resultKey, shownWorkKey, workKey} from './items/work.ts';

/** Returns the papers that what is on the screen is made from. */
export const papersFor = (context: Context): readonly string[] => {
	const {model, view} = context;
	const {state} = model;
	const {place} = view;
	switch (place.at) {
		case 'agent':
			return place.show === 'work' ? there([shownWorkKey(state, place.agent, view)]) : [];
		case 'item': {
			const item = itemOf(state, place.item);
			if (item?.kind === 'conflict') {
				return conflictKeys(state, view, item, place);
			}

			return item === undefined ? [] : there(keysFor(state, item));
		}

		case 'hunks':
			return hunkPapers(context, place);
		default:
			return [];
	}
};

/** A folder that is not there yet has nothing to show. */
const hunkPapers = ({model, view}: Context, place: HunksPlace): readonly string[] => {
	const hunks = hunksAt({model, view}, place);
	if (hunks.phase === 'gone' || hunks.phase === 'none' || hunks.phase === 'making') {
		return [];
	}

	return hunks.phase === 'ready' && hunks.at !== undefined && place.shows === 'trail'
		? [hunksKey(view, place.item), trailKey(view, place.item, hunks.at.number)]
		: [hunksKey(view, place.item)];
};

const there = (keys: readonly (string | undefined)[]): readonly string[] =>
	keys.filter(key => key !== undefined);

const keysFor = (
	state: State,
	item: Exclude<Item, {kind: 'conflict'}>,
): readonly (string | undefined)[] => {
	switch (item.kind) {
		case 'approval':
			return [
				resultKey(state),
				...(state.merge.phase === 'verified'
					? state.merge.built.agents.map(agent => workKey(state, agent))
					: []),
			];
		default:
			return 'agent' in item && item.kind !== 'question'
				? [workKey(state, item.agent), newWorkKey(state, item.agent)]
				: [];
	}
};
