import {type Patience, withPatience} from '../../process/patience.ts';
import {gitsWords} from '../../process/result.ts';
import {user} from '../../process/user.ts';
import {goalOf} from '../../repository/branch.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import type {Repository} from '../../repository/repository.ts';
import type {Store} from '../../store/store.ts';
import {moveFiles} from '../move-checkout.ts';
import type {Obstacle} from '../obstacles/obstacle.ts';
import {findMoveProgress} from './find-move-progress.ts';
import {foreign, type InterruptedMove, putBackFiles, recover, unclearable} from './recover.ts';
import type {Recovery} from './recovery.ts';

/** Moves of a branch that were cut off, and that nobody goes on with. */
export type Abandoned = {
	/** Name of the branch. */
	readonly target: string;
	readonly store: Store;
	readonly interrupted: readonly InterruptedMove[];
	readonly patience?: Patience;
};

/**
Takes back what such moves left in the person's checkout; returns what stands against it, if something does.

Only what is known to come from a move goes back, and a branch that has arrived stays where it is.
*/
export const clearUp = (
	repository: Repository,
	{target: branch, store, interrupted, patience = {}}: Abandoned,
): Promise<Obstacle | undefined> =>
	withPatience(patience, async () => {
		const target = await goalOf(repository, branch);
		for (const move of interrupted) {
			const obstacle = await clearUpOne(repository, store, {...move, target});
			if (obstacle !== undefined) {
				return obstacle;
			}
		}

		return undefined;
	});

const clearUpOne = async (
	repository: Repository,
	store: Store,
	interrupted: InterruptedMove & {readonly target: string},
): Promise<Obstacle | undefined> => {
	const recovery = await recover(repository, store, interrupted);
	switch (recovery.kind) {
		case 'clear':
			return undefined;
		case 'blocked':
			return recovery.obstacle;
		case 'staged':
			return unstage(recovery, store, interrupted);
	}
};

/** Brings a checkout back whose branch was not moved, since it is to go elsewhere now, or to stay. */
export const unstage = async (
	{checkout, unmoved}: Staged,
	store: Store,
	interrupted: InterruptedMove & {readonly target: string},
): Promise<Obstacle | undefined> => {
	try {
		return await (unmoved.length === 0
			? unstageAll(checkout, store, interrupted)
			: unstageRest(checkout, store, interrupted));
	} catch (error) {
		return unclearable(interrupted.target, error);
	}
};

type Staged = Extract<Recovery, {kind: 'staged'}>;

/** Whoever tried it before may have been killed over it: what files they brought back go forward again first. */
const unstageAll = async (
	checkout: Checkout,
	store: Store,
	{from, to, since}: InterruptedMove,
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

/**
The same where some files are as before already, and maybe can't be anything else: git would refuse to go back over them.

The index alone goes back first. That is where a git stands which was killed before it wrote one, so the rest is done, and done again after a crash, like after any such.
*/
const unstageRest = async (
	checkout: Checkout,
	store: Store,
	{from, to, since}: InterruptedMove,
): Promise<Obstacle | undefined> => {
	const back = await findMoveProgress(store, checkout, {from: to, to: from, since});
	if (back.kind === 'foreign') {
		return foreign(checkout, back.paths);
	}

	await user(checkout.root, ['read-tree', '-i', '-m', to, from]);
	return putBackFiles(store, checkout, {from, to, since});
};
