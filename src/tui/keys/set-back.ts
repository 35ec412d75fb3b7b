import {itemOf} from '../../state/select.ts';
import type {Action} from '../action.ts';
import {type Context, type ItemPlace, only, showing} from '../model/view.ts';
import {snapshotsOf} from '../screens/items/set-back.ts';

/** What is shown of an item that offers a set-back; nothing of any other one. */
const shownAtSetBack = ({model, view: {place}}: Context): ItemPlace['shows'] | undefined => {
	const item = place.at === 'item' ? itemOf(model.state, place.item) : undefined;
	return place.at === 'item' &&
		item !== undefined &&
		snapshotsOf(model.state, item).some(snapshot => snapshot !== undefined)
		? place.shows
		: undefined;
};

/** How to see what a set-back would change, before it is chosen. */
export const setBackActions: readonly Action[] = [
	{
		name: 'set-back',
		keys: ['P'],
		label: 'preview',
		help: 'see what changes in the worktree with a choice that sets it back; again: the work',
		where: ['item'],
		when: context => shownAtSetBack(context) !== undefined,
		run: context => {
			const shows = shownAtSetBack(context) === 'outcome' ? 'facts' : 'outcome';
			return only(showing(context.view, {shows}));
		},
	},
	{
		name: 'set-back-over',
		keys: ['esc', 'b'],
		label: 'back',
		help: 'go back to the work',
		where: ['item'],
		when: context => shownAtSetBack(context) === 'outcome',
		run: ({view}) => only(showing(view, {shows: 'facts'})),
	},
];
