import {Failure} from '../../lib/failure.ts';
import {type GitResult, lineOf, linesOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import {worktrees} from '../repository/checkouts.ts';
import {type Repository, refOf} from '../repository/repository.ts';

/**
Requires that git could create a branch.

@throws `Failure` of kind `refused` if the name isn't valid, conflicts with another branch's name, or is checked out without a commit.
*/
export const requireCreatable = async (repository: Repository, branch: string): Promise<void> => {
	const cause = await whyNotCreatable(repository, branch);
	if (cause !== undefined) {
		throw new Failure('refused', `There is no branch ${branch}, and ${cause}.`, {
			hint: 'Name another target in the plan.',
		});
	}
};

const whyNotCreatable = async (
	repository: Repository,
	branch: string,
): Promise<string | undefined> => {
	const {root} = repository;
	const ref = refOf(branch);
	if (branch === '@') {
		return 'git reads it as HEAD';
	}

	if (branch.startsWith('refs/')) {
		return `a target is named without ${refOf('')}`;
	}

	if (!(await isBranchName(repository, branch))) {
		return 'git takes no branch of this name';
	}

	if ((await worktrees(repository)).some(worktree => worktree.branch === ref)) {
		return 'a checkout that has no commit yet is on it';
	}

	const [first = ''] = branch.split('/');
	const near = await user(root, ['for-each-ref', '--format=%(refname)', refOf(first)]);
	const beside = linesOf(near).find(
		other => ref.startsWith(`${other}/`) || other.startsWith(`${ref}/`),
	);
	return beside === undefined
		? undefined
		: `git can’t keep one beside the branch ${beside.slice(refOf('').length)}`;
};

/** Returns whether git takes a name literally as that of a branch: it reads `@{-1}` as the previous branch, and `main~1` as a commit. */
export const isBranchName = async ({root}: Repository, branch: string): Promise<boolean> => {
	const read = await user(root, ['check-ref-format', '--branch', branch], {expect: 'any'});
	return read.code === 0 && lineOf(read) === branch;
};

/** Runs `git update-ref` for a branch that must not exist yet. */
export const createBranch = (
	{root}: Repository,
	branch: string,
	commit: string,
): Promise<GitResult> => {
	const none = '0'.repeat(commit.length);
	const args = ['update-ref', '-m', 'delegate-tui: merge', refOf(branch), commit, none];
	return user(root, args, {expect: 'any'});
};
