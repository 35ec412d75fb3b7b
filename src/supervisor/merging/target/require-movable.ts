import type {Repository} from '../../../git/repository/repository.ts';
import {findHolderObstacle} from '../../../git/target/obstacles/holder-obstacle.ts';
import {Failure} from '../../../lib/failure.ts';

/**
Fails where a merge into the branch could never come, whatever is decided meanwhile.

@throws `Failure` of kind `refused`.
*/
export const requireMovable = async (repository: Repository, target: string): Promise<void> => {
	const obstacle = await findHolderObstacle(repository, target);
	if (obstacle !== undefined) {
		throw new Failure('refused', obstacle.message, {hint: obstacle.hint});
	}
};
