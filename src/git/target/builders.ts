import {linesOf} from '../process/lines.ts';
import {sealed} from '../process/sealed.ts';
import {goalOf, refOf} from '../repository/branch.ts';
import {worktrees} from '../repository/checkouts.ts';
import {gitLocationOf, type Repository} from '../repository/repository.ts';
import {isAncestor} from '../tree/commit.ts';

/** Refs that hold commits without building on them: the stash, and what is ours. */
const idle = /^refs\/(?:stash$|delegate\/)/;

/**
Returns who besides a branch stands on a commit of it or on a later one: other branches, remote ones, tags, and checkouts on no branch.

While there is nobody, the branch can go back to before the commit, and nobody's work stands on something that is gone.
*/
export const buildersOn = async (
	repository: Repository,
	commit: string,
	branch: string,
): Promise<readonly string[]> => {
	const own = refOf(await goalOf(repository, branch));
	// A ref that only stands for another one is nobody of its own.
	const format = '--format=%(if)%(symref)%(then)%(else)%(refname)%(end)';
	const args = ['for-each-ref', format, '--contains', commit];
	const refs = linesOf(await sealed(gitLocationOf(repository), args));
	const builders = refs.filter(ref => ref !== own && !idle.test(ref));
	return [...builders, ...(await detachedOn(repository, commit))];
};

/** Returns what people call such a ref; a checkout goes by its folder. */
export const nameOfBuilder = (builder: string): string =>
	builder.replace(/^refs\/(?:heads|tags|remotes)\//, '');

const detachedOn = async (repository: Repository, commit: string): Promise<readonly string[]> => {
	const found: string[] = [];
	for (const {root, branch, head} of await worktrees(repository)) {
		const isOn =
			branch === undefined &&
			head !== undefined &&
			(await isAncestor(gitLocationOf(repository), commit, head));
		found.push(...(isOn ? [root] : []));
	}

	return found;
};
