import {Failure} from '../../lib/failure.ts';
import type {Patience} from '../process/patience.ts';
import {sealed} from '../process/sealed.ts';
import type {Repository} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import type {InterruptedMove} from './interrupted/recover.ts';
import {moveTarget} from './move-target.ts';
import type {Obstacle} from './obstacles/obstacle.ts';

export type Publication = {
	/** Name of the branch. */
	readonly target: string;
	/** Where it must stand now. */
	readonly from: string;
	/** A commit of the store, after `from`. */
	readonly to: string;
	readonly store: Store;
	/** Earlier moves that nobody saw come to their end; none when absent. */
	readonly interrupted?: readonly InterruptedMove[];
	readonly patience?: Patience;
};

export type Published = {readonly published: true} | ({readonly published: false} & Obstacle);

/**
Moves a branch of the person's forward to a commit of the store, and their checkout with it.

That is one fast-forward, and it happens only if nothing of theirs is in the way: not an edit, not an untracked or ignored file, not a command they haven't finished. When it is refused nothing has changed; a branch that is at `to` already counts as published.

@throws `Failure` when `to` doesn't come after `from`.
*/
export const publish = async (
	repository: Repository,
	publication: Publication,
): Promise<Published> => {
	await requireForward(publication);
	const obstacle = await moveTarget(repository, {interrupted: [], ...publication, way: 'forward'});
	return obstacle === undefined ? {published: true} : {published: false, ...obstacle};
};

const requireForward = async ({store, from, to}: Publication): Promise<void> => {
	const {code} = await sealed(store, ['merge-base', '--is-ancestor', from, to], {expect: [0, 1]});
	if (code === 1) {
		throw new Failure('internal', `${to} doesn’t come after ${from}, so it can’t be published.`);
	}
};
