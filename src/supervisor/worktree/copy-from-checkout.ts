import {isBelowFolders} from '../../git/tree/disk-path.ts';
import {Failure} from '../../lib/failure.ts';
import {copyApart} from '../../lib/files/copy-apart.ts';
import {isThere} from '../../lib/files/reading.ts';
import type {Session} from '../../state/state.ts';

/**
Copies what a plan lists under `copy` into a worktree: from the checkout that the session was started in, whichever one this supervisor was started in.

@throws `Failure` that names the path which could not be copied.
*/
export const copyFromCheckout = async (
	{plan, repository: {root}}: Session,
	tree: string,
): Promise<void> => {
	for (const path of plan.copy) {
		await copyOne(root, tree, path);
	}
};

const copyOne = async (root: string, tree: string, path: string): Promise<void> => {
	if (!(await isThere(root))) {
		throw new Failure('missing', `${path} could not be copied: your checkout ${root} is gone.`, {
			hint: 'The session was started there; put a checkout back in its place ("git worktree add").',
		});
	}

	if (!(await isBelowFolders(tree, path))) {
		throw new Failure('refused', `${path} is not copied: its folder is a link in the repository.`, {
			hint: 'list it under "copy" by the folder that the link leads to',
		});
	}

	try {
		await copyApart({from: root, to: tree}, path);
	} catch (error) {
		const why = error instanceof Failure ? `: ${error.message}` : '.';
		throw new Failure('missing', `${path} could not be copied from your checkout${why}`, {
			hint: 'it is listed under "copy" in the plan',
			cause: error,
		});
	}
};
