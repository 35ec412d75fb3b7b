import {gitsWords} from '../../process/result.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import type {Repository} from '../../repository/repository.ts';
import type {Store} from '../../store/store.ts';
import type {Change} from '../../tree/changes.ts';
import {isAncestor} from '../../tree/commit.ts';
import {buildersOn, nameOfBuilder} from '../builders.ts';
import {moveBranchBack} from '../move-checkout.ts';
import {count, type Obstacle, progressObstacle} from '../obstacles/obstacle.ts';
import {type BegunMove, findMoveProgress} from './find-move-progress.ts';
import type {Recovery} from './recovery.ts';
import {findUnmoved} from './unmoved.ts';

/** A move of a branch that has arrived, though nobody saw it come to its end. */
export type Arrived = BegunMove & {readonly target: string};

/**
Moves a branch back that has arrived without some of its files, so that only its checkout is left to go back.

Whoever moved it would have done that if they hadn't been killed before they could look. A person may have gone on from there since: where a file that was touched is no longer as the move made it, the branch stays; where somebody stands on the move, it stays as well, and the files are told that their next commit would turn back.
*/
export const recoverArrived = async (
	repository: Repository,
	store: Store,
	checkout: Checkout,
	arrived: Arrived,
): Promise<Recovery> => {
	const {from, to, since} = arrived;
	const unmoved = await findUnmoved(store, checkout, arrived);
	const back = {from: to, to: from, since};
	if (unmoved.length === 0 || (await findMoveProgress(store, checkout, back)).kind !== 'before') {
		return {kind: 'clear'};
	}

	const why =
		(await progressObstacle(checkout)) ?? (await builderObstacle(repository, store, arrived));
	if (why !== undefined) {
		return stays(unmoved, why);
	}

	const result = await moveBranchBack(checkout.root, arrived);
	return result.code === 0
		? {kind: 'staged', checkout, unmoved}
		: stays(unmoved, {
				message: `Git refused to move ${arrived.target}: ${gitsWords(result)}`,
				hint: 'Let other git commands finish, then try again.',
			});
};

type Why = Pick<Obstacle, 'message' | 'hint'>;

/** Who stands on what comes after stands on what was before it, too; so only a way back in history takes something from them. */
const builderObstacle = async (
	repository: Repository,
	store: Store,
	{target, from, to}: Arrived,
): Promise<Why | undefined> => {
	const isOnward = await isAncestor(store, to, from);
	const builders = isOnward ? [] : await buildersOn(repository, to, target);
	return builders.length === 0
		? undefined
		: {
				message: `Others stand on ${target} (${builders.map(nameOfBuilder).join(', ')}).`,
				hint: 'Bring each file that is left to where the branch is: git checkout -- FILE, or remove it where the branch has none. Then try again.',
			};
};

const stays = (unmoved: readonly Change[], {message, hint}: Why): Recovery => {
	const paths = unmoved.map(({path}) => path);
	const reason = message.replace(/\.$/, '');
	return {
		kind: 'blocked',
		obstacle: {
			cause: 'cut-off',
			message: `${reason}, so a move can’t go back that left ${count(paths)} as before.`,
			hint,
			paths,
		},
	};
};
