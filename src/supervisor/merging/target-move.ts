import type {TargetMove} from '../../events/target-move.ts';
import {currentBranch, goalOf, type Repository} from '../../git/repository/repository.ts';
import {findHolderObstacle} from '../../git/target/obstacles.ts';
import {commitsBetween, isAncestor} from '../../git/tree/commit.ts';
import {Failure} from '../../lib/failure.ts';
import type {State} from '../../state/state.ts';
import {requireSession, type World} from '../world.ts';

/** Commits beyond these make nobody wiser. */
const mostNamed = 6;

/** Returns by which commits the target moved since the session began, if others than we moved it: a person, or an agent behind their back. */
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
Fails where a merge into the branch could never come, whatever is decided meanwhile.

@throws `Failure` of kind `refused`.
*/
export const requireMovable = async (repository: Repository, target: string): Promise<void> => {
	const obstacle = await findHolderObstacle(repository, target);
	if (obstacle !== undefined) {
		throw new Failure('refused', obstacle.message, {hint: obstacle.hint});
	}
};

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
