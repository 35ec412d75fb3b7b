import type {ResourceKey} from '../../client/resources/resources.ts';
import type {Item} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import {hunksAt, hunksKey, trailKey} from '../model/hunks.ts';
import {pickingKey, placesBeside} from '../model/picking.ts';
import type {Context, HunksPlace} from '../model/view.ts';
import {conflictKeys} from './items/conflict/resources.ts';
import {setBackInSight, setBackKey} from './items/set-back.ts';
import {
	filesKey,
	newWorkKey,
	resultKey,
	shownPart,
	shownWorkKey,
	workKey,
} from './items/work/work.ts';

/** Returns the resources that what is on the screen is made from. */
export const resourcesFor = (context: Context): readonly ResourceKey[] => {
	const {model, view} = context;
	const {state} = model;
	const {place} = view;
	switch (place.at) {
		case 'agent':
			return place.show === 'work' ? withFiles([shownWorkKey(state, place.agent, view)]) : [];
		case 'item': {
			const item = itemOf(state, place.item);
			if (item?.kind === 'conflict') {
				return conflictKeys(state, view, item, place);
			}

			if (item === undefined) {
				return [];
			}

			const setBack = place.shows === 'outcome' ? setBackInSight(state, item, place) : undefined;
			return there([...keysFor(context, item), setBack && setBackKey(state, setBack)]);
		}

		case 'hunks':
			return hunkResources(context, place);
		case 'picking':
			return there(placesBeside(state, place).map(one => pickingKey(state, one)));
		case 'board':
		case 'inbox':
		case 'questions':
		case 'answers':
		case 'log':
		case 'check':
		case 'matrix':
		case 'findings':
		case 'help':
			return [];
	}
};

/** A folder that is not there yet has nothing to show. */
const hunkResources = ({model, view}: Context, place: HunksPlace): readonly ResourceKey[] => {
	const hunks = hunksAt({model, view}, place);
	if (hunks.phase === 'gone' || hunks.phase === 'none' || hunks.phase === 'making') {
		return [];
	}

	return hunks.phase === 'ready' && hunks.at !== undefined && place.shows === 'trail'
		? [hunksKey(view, place.item), trailKey(view, place.item, hunks.at.number)]
		: [hunksKey(view, place.item)];
};

/** What a diff leaves out is known only by the list of its files, which comes first. */
const withFiles = (keys: readonly (ResourceKey | undefined)[]): readonly ResourceKey[] =>
	there([...keys.map(filesKey), ...keys]);

const there = (keys: readonly (ResourceKey | undefined)[]): readonly ResourceKey[] =>
	keys.filter(key => key !== undefined);

const keysFor = (
	{model: {state}, view}: Context,
	item: Exclude<Item, {kind: 'conflict'}>,
): readonly (ResourceKey | undefined)[] => {
	switch (item.kind) {
		case 'approval':
			return [
				...withFiles([resultKey(state)]),
				...(state.merge.phase === 'verified'
					? state.merge.built.agents.map(agent => filesKey(workKey(state, agent)))
					: []),
			];
		case 'checkpoint':
		case 'blocker':
		case 'delegation':
		case 'scope':
		case 'permission':
		case 'review':
		case 'limit':
		case 'failure':
			return withFiles([
				workKey(state, item.agent),
				newWorkKey(state, item.agent),
				...(['unlooked', 'reverted'].includes(shownPart(state, item.agent, view))
					? [shownWorkKey(state, item.agent, view)]
					: []),
			]);
		case 'plan':
		case 'question':
		case 'verify':
			return [];
	}
};
