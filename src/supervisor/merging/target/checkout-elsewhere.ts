import {currentBranch, goalOf} from '../../../git/repository/branch.ts';
import type {Repository} from '../../../git/repository/repository.ts';

/** Returns in a sentence that the person's checkout is not on the target, be it by their own hand or by an agent's behind their back. */
export const checkoutElsewhere = async (
	repository: Repository,
	target: string,
): Promise<readonly string[]> => {
	const branch = await currentBranch(repository);
	if (branch === target || branch === (await goalOf(repository, target))) {
		return [];
	}

	const where = branch === undefined ? 'on no branch' : `on ${branch}`;
	return [
		`${repository.root} is ${where} and not on ${target}: its files stay as they are when ${target} moves.`,
	];
};
