import type {TargetMove} from '../../events/target-move.ts';
import {currentBranch, goalOf, type Repository} from '../../git/repository/repository.ts';
import {findHolderObstacle} from '../../git/target/obstacles.ts';
import {commitsBetween, isAncestor} from '../../git/tree/commit.ts';
import {Failure} from '../../lib/failure.ts';
import type {State} from '../../state/state.ts';
import {requireSession, type World} from '../world.ts';

/** Maximum number of commits to name: more would not help a person. */
const mostNamed = 6;

/** Returns the commits by which someone else has moved the target since the session began: a person, or an agent without permission. */
export const targetMove = async (
	{store}: Pick<World, 'store'>,
	state: State,
): Promise<TargetMove | undefined> => {
	const {base, tip, ours} = requireSession(state);
	if (base === tip) {
		return undefined;
	}

	const all = await commitsBetween(store, base, tip);
	const commits = all.filter(({commit}) => !ours.includes(commit));
	const rewritten = !(await isAncestor(store, base, tip));
	return commits.length === 0 && !rewritten
		? undefined
		: {
				...{base, rewritten},
				commits: commits.slice(0, mostNamed),
				more: Math.max(0, commits.length - mostNamed),
			};
};

/**
Throws if no merge into the branch can succeed, regardless of later decisions.

@throws `Failure` of kind `refused`
*/
export const requireMovable = async (repository: Repository, target: string): Promise<void> => {
	const obstacle = await findHolderObstacle(repository, target);
	if (obstacle !== undefined) {
		throw new Failure('refused', obstacle.message, {hint: obstacle.hint});
	}
};

/** Returns a sentence if the person's checkout isn't on the target, whether they or an agent switched it. */
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
