import {itemOf} from '../../state/select.ts';
import type {Action} from '../action.ts';
import {type Context, type ItemPlace, type Outcome, only} from '../model/view.ts';
import {snapshotsOf} from '../screens/items/set-back.ts';

const atSetBack = ({model, view: {place}}: Context): ItemPlace | undefined => {
	const item = place.at === 'item' ? itemOf(model.state, place.item) : undefined;
	return place.at === 'item' &&
		item !== undefined &&
		snapshotsOf(model.state, item).some(snapshot => snapshot !== undefined)
		? place
		: undefined;
};

const showing = (context: Context, shows: ItemPlace['shows']): Outcome => {
	const place = atSetBack(context);
	return only(
		place === undefined ? context.view : {...context.view, place: {...place, shows}, scroll: 0},
	);
};

/** How to see what a set-back would change, before it is chosen. */
export const setBackActions: readonly Action[] = [
	{
		name: 'set-back',
		keys: ['P'],
		label: 'preview',
		help: 'see what changes in the worktree with a choice that sets it back; again: the work',
		where: ['item'],
		when: context => atSetBack(context) !== undefined,
		run: context => showing(context, atSetBack(context)?.shows === 'outcome' ? 'facts' : 'outcome'),
	},
	{
		name: 'set-back-over',
		keys: ['esc', 'b'],
		label: 'back',
		help: 'go back to the work',
		where: ['item'],
		when: context => atSetBack(context)?.shows === 'outcome',
		run: context => showing(context, 'facts'),
	},
];
