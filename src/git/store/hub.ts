import type {Repository} from '../repository/repository.ts';
import {borrowedFrom} from './borrowed.ts';
import {createLinkedTree, type LinkedTree} from './linked-tree.ts';

export type HubParts = {
	/** The agent's folder in the session: the hub becomes `hub.git` and the worktree `tree` in it. */
	readonly folder: string;
	readonly repository: Repository;
	/** The commit that the agent starts from. */
	readonly base: string;
	/** Name of the agent's branch, the only ref of its hub. */
	readonly branch: string;
};

/**
Gives an agent a bare repository of its own with one worktree.

It can read the person's objects, but their refs, stash, configuration, hooks and remotes aren't there to be read or broken, and neither is another agent's work. A second call finds what the first one made, however far that came.

@throws `Failure` of kind `missing` when the worktree was there once and is gone.
*/
export const createHub = async ({
	folder,
	repository,
	base,
	branch,
}: HubParts): Promise<LinkedTree> => {
	const borrowed = await borrowedFrom(repository);
	const config = new Map([...borrowed.config, ['gc.auto', '0']]);
	return createLinkedTree({
		folder,
		borrowed: {...borrowed, config},
		commit: base,
		branch,
	});
};
