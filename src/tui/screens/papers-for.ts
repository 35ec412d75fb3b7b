import type {Item} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {Context} from '../model/view.ts';
import {conflictKeys} from './items/conflict-papers.ts';
import {resultKey, workKey} from './items/work.ts';

/** Returns the papers that what is on the screen is made from. */
export const papersFor = ({model, view}: Context): readonly string[] => {
	const {state} = model;
	const {place} = view;
	switch (place.at) {
		case 'agent':
			return place.show === 'work' ? there([workKey(state, place.agent)]) : [];
		case 'item': {
			const item = itemOf(state, place.item);
			if (item?.kind === 'conflict') {
				return conflictKeys(state, view, item, place);
			}

			return item === undefined ? [] : there(keysFor(state, item));
		}

		default:
			return [];
	}
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
			return 'agent' in item && item.kind !== 'question' ? [workKey(state, item.agent)] : [];
	}
};
