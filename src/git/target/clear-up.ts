import {goalOf} from '../branch.ts';
import type {Checkout} from '../checkouts.ts';
import {type Patience, withPatience} from '../patience.ts';
import type {Repository} from '../repository.ts';
import {gitsWords} from '../result.ts';
import type {Store} from '../store.ts';
import {type CutOff, putBackFiles, settle, unclearable} from './cut-off.ts';
import {moveFiles} from './move-checkout.ts';
import type {Obstacle} from './obstacle.ts';

/** Moves of a branch that were cut off, and that nobody goes on with. */
export type Abandoned = {
	/** Name of the branch. */
	readonly target: string;
	readonly store: Store;
	readonly cutOffs: readonly CutOff[];
	readonly patience?: Patience;
};

/**
Takes back what such moves left in the person's checkout; returns what stands against it, if something does.

Only what is known to come from a move goes back, and a branch that has arrived stays where it is.
*/
export const clearUp = (
	repository: Repository,
	{target: branch, store, cutOffs, patience = {}}: Abandoned,
): Promise<Obstacle | undefined> =>
	withPatience(patience, async () => {
		const target = await goalOf(repository, branch);
		for (const cutOff of cutOffs) {
			const obstacle = await clearUpOne(repository, store, {...cutOff, target});
			if (obstacle !== undefined) {
				return obstacle;
			}
		}

		return undefined;
	});

const clearUpOne = async (
	repository: Repository,
	store: Store,
	cutOff: CutOff & {readonly target: string},
): Promise<Obstacle | undefined> => {
	const settled = await settle(repository, store, cutOff);
	switch (settled.kind) {
		case 'clear':
			return undefined;
		case 'blocked':
			return settled.obstacle;
		case 'staged':
			return unstage(settled.checkout, store, cutOff);
	}
};

/** Brings a checkout back whose branch was not moved, since it is to go elsewhere now, or to stay. */
export const unstage = async (
	checkout: Checkout,
	store: Store,
	cutOff: CutOff & {readonly target: string},
): Promise<Obstacle | undefined> => {
	try {
		return await unstageIn(checkout, store, cutOff);
	} catch (error) {
		return unclearable(cutOff.target, error);
	}
};

/** Whoever tried it before may have been killed over it: what files they brought back go forward again first. */
const unstageIn = async (
	checkout: Checkout,
	store: Store,
	{from, to, since}: CutOff,
): Promise<Obstacle | undefined> => {
	const foreign = await putBackFiles(store, checkout, {from: to, to: from, since});
	if (foreign !== undefined) {
		return foreign;
	}

	const result = await moveFiles(checkout, {store, from: to, to: from});
	return result.code === 0
		? undefined
		: {
				cause: 'cut-off',
				message: `A merge that was cut off is staged in ${checkout.root}, and git can’t take it back: ${gitsWords(result)}`,
				hint: 'Put that right, then try again.',
			};
};
