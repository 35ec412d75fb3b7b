import {changes} from '../changes.ts';
import type {Checkout} from '../checkouts.ts';
import type {Store} from '../store.ts';
import {findLeftover} from './leftover.ts';
import {moveRef} from './move-checkout.ts';
import {findUnmoved} from './unmoved.ts';

/** A move of a branch that has arrived, though nobody saw it come to its end. */
export type Arrived = {
	readonly target: string;
	readonly from: string;
	readonly to: string;
	/** When it was begun, ISO 8601. */
	readonly since: string;
};

/**
Moves a branch back that has arrived without some of its files, and nothing else; returns whether it did.

Whoever moved it would have done that if they hadn't been killed before they could look. A person may have gone on from there since, so it is done only where each file that was touched since is as the move made it.
*/
export const turnBack = async (
	store: Store,
	checkout: Checkout,
	{target, from, to, since}: Arrived,
): Promise<boolean> => {
	const unmoved = await findUnmoved(store, checkout, await changes(store, from, to));
	if (unmoved.length === 0) {
		return false;
	}

	const back = {changes: await changes(store, to, from), since};
	return (
		(await findLeftover(store, checkout, back)).kind === 'before' &&
		(await moveRef(checkout.root, {target, from: to, to: from, way: 'return'})).code === 0
	);
};
