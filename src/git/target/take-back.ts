import type {Repository} from '../repository/repository.ts';
import type {InterruptedMove} from './interrupted/recover.ts';
import {type Move, moveTarget} from './move-target.ts';
import type {Published} from './publish.ts';

/**
Moves a branch of the person's back to a commit that it came from, and their checkout with it.

It is as careful as `publish`: an edit, an untracked or an ignored file in its way is a reason not to. The commits that are left stay in the reflog.
*/
export const takeBack = async (
	repository: Repository,
	move: Omit<Move, 'way' | 'interrupted'> & {readonly interrupted?: readonly InterruptedMove[]},
): Promise<Published> => {
	const obstacle = await moveTarget(repository, {interrupted: [], ...move, way: 'back'});
	return obstacle === undefined ? {published: true} : {published: false, ...obstacle};
};
