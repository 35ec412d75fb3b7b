import {goalOf, refOf} from '../../repository/branch.ts';
import {type Holder, holderOf} from '../../repository/checkouts.ts';
import type {Repository} from '../../repository/repository.ts';
import {inProgress, type Obstacle} from './obstacle.ts';

/**
Returns why a branch can't be moved where it is checked out, if that is so.

It is asked long before the move as well, so that nobody works towards a merge that can't come.
*/
export const findHolderObstacle = async (
	repository: Repository,
	branch: string,
): Promise<Obstacle | undefined> => {
	const target = await goalOf(repository, branch);
	const holder = await holderOf(repository, refOf(target));
	// Of the others it can be told which folder would be moved together with the branch.
	return holder.kind === 'several' || holder.kind === 'nameless'
		? holderObstacle(holder, target)
		: undefined;
};

/** Says in words why a branch with such a holder can't be moved. */
export const holderObstacle = (
	holder: Exclude<Holder, {kind: 'none' | 'checkout'}>,
	target: string,
): Obstacle => {
	switch (holder.kind) {
		case 'rebase':
			return inProgress('rebase', holder.root);
		case 'gone':
			return {
				cause: 'other',
				message: `The branch is checked out in ${holder.root}, and that folder is gone.`,
				hint: 'Bring the folder back, or let git forget it: git worktree prune',
			};
		case 'nameless':
			return {
				cause: 'other',
				message: `${target} is checked out in the main checkout of ${holder.gitDir}, and git keeps no note of where that is.`,
				hint: `Start there, or tell git its folder: git --git-dir=${holder.gitDir} config core.worktree FOLDER`,
			};
		case 'several':
			return {
				cause: 'other',
				message: `${target} is checked out in ${holder.roots.join(' and in ')}; moved in one of them, it would look taken back in the other.`,
				hint: `Leave it in one of them: git switch --detach in the other (git worktree prune, if its folder is gone)`,
			};
	}
};
