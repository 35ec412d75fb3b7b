import {lineOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {gitLocationOf, type Repository, resolveCommit} from './repository.ts';

/** Returns the name of the branch that is checked out, or `undefined` on a detached HEAD. */
export const currentBranch = async (repository: Repository): Promise<string | undefined> => {
	const result = await sealed(gitLocationOf(repository), ['symbolic-ref', '--quiet', 'HEAD'], {
		expect: [0, 1],
	});
	const ref = lineOf(result);
	return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
};

/** Returns the commit that a branch stands at, or `undefined` when there is no such branch. */
export const tipOf = (repository: Repository, branch: string): Promise<string | undefined> =>
	resolveCommit({gitDir: repository.commonDir}, refOf(branch));

export const refOf = (branch: string): string => `refs/heads/${branch}`;

/** Returns the branch that is moved when this one is: another one where it is only a name for it (a symbolic ref). */
export const goalOf = async (repository: Repository, branch: string): Promise<string> => {
	const location = {gitDir: repository.commonDir};
	const result = await sealed(location, ['symbolic-ref', '--quiet', refOf(branch)], {
		expect: 'any',
	});
	const ref = lineOf(result);
	return result.code === 0 && ref.startsWith(refOf('')) ? ref.slice(refOf('').length) : branch;
};
