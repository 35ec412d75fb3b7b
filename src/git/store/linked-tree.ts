import {mkdir, rename, rm, writeFile} from 'node:fs/promises';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {conePatterns} from '../../lib/cone.ts';
import {Failure} from '../../lib/failure.ts';
import {type SealedOptions, sealed} from '../process/sealed.ts';
import {type Borrowed, createBare} from './borrowed.ts';
import {isEntry, worktreePath} from './worktree-path.ts';

/** A bare repository and its only worktree. */
export type LinkedTree = {
	readonly gitDir: string;
	readonly tree: string;
};

export type LinkedTreeParts = {
	readonly folder: string;
	readonly borrowed: Borrowed;
	/** Commit to check out, on a new branch if one is named. */
	readonly commit: string;
	readonly branch?: string;
	/** Folders of a sparse checkout; absent for a full one. */
	readonly checkout?: readonly string[] | undefined;
} & Pick<SealedOptions, 'onCheckout'>;

/**
Makes `hub.git` and its worktree in a folder.

Both are made under `making` and renamed when complete, the worktree last. So an existing worktree is complete, and the remains of a kill contain no work.
*/
export const createLinkedTree = async (parts: LinkedTreeParts): Promise<LinkedTree> => {
	const {folder} = parts;
	const finished = {gitDir: join(folder, 'hub.git'), tree: worktreePath(folder)};
	if (isEntry(finished.tree)) {
		return finished;
	}

	if (!isEntry(finished.gitDir)) {
		await make(parts, finished);
		await rename(join(folder, 'making/hub.git'), finished.gitDir);
	} else if (!isEntry(join(folder, 'making/tree'))) {
		throw new Failure('missing', `The worktree ${finished.tree} was removed.`, {
			hint: 'Its last snapshot is kept; restore the agent from there.',
		});
	}

	await rename(join(folder, 'making/tree'), finished.tree);
	await rm(join(folder, 'making'), {recursive: true, force: true});
	return finished;
};

const make = async (parts: LinkedTreeParts, finished: LinkedTree): Promise<void> => {
	const making = join(parts.folder, 'making');
	const [gitDir, tree] = [join(making, 'hub.git'), join(making, 'tree')];
	await rm(making, {recursive: true, force: true});
	await mkdir(making, {recursive: true});
	await createBare(gitDir, parts.borrowed);
	if (parts.checkout !== undefined) {
		// Git copies these patterns into a worktree that it adds.
		await writeFile(join(gitDir, 'info/sparse-checkout'), conePatterns(parts.checkout));
	}

	const branch = parts.branch === undefined ? ['--detach'] : ['-b', parts.branch];
	await sealed({gitDir}, ['worktree', 'add', '--lock', ...branch, tree, parts.commit], {
		onCheckout: parts.onCheckout,
		config: parallelCheckout,
	});
	await link(making, finished);
};

/** Agents mostly start together, so each checkout gets a third of the cores: a second worker makes a checkout take half more processor time. */
const parallelCheckout = {
	'checkout.workers': `${Math.max(1, Math.floor(availableParallelism() / 3))}`,
};

/** Makes repository and worktree point at their final paths. */
const link = async (making: string, {gitDir, tree}: LinkedTree): Promise<void> => {
	await writeFile(join(making, 'tree/.git'), linkOf(gitDir));
	await writeFile(join(making, 'hub.git/worktrees/tree/gitdir'), `${tree}/.git\n`);
};

export const linkedFolder = (gitDir: string): string => join(gitDir, 'worktrees/tree');

export const linkOf = (gitDir: string): string => `gitdir: ${linkedFolder(gitDir)}\n`;
