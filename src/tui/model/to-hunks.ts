import {stepsOf} from './hunks.ts';
import {go, type ItemPlace, type View} from './view.ts';

/** Returns the view at the hunks of a conflict, read again unless something was just done to them. */
export const toHunks = (view: View, {item, from}: Pick<ItemPlace, 'item' | 'from'>): View => ({
	...go(view, {at: 'hunks', item, hunk: undefined, shows: 'hunk', withBase: false, from}),
	looks: view.looks + (stepsOf(view, item).length > 0 ? 0 : 1),
});
