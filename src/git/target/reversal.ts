import {mergeCommits} from '../merge/merge-tree.ts';
import {linesOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {worktrees} from '../repository/checkouts.ts';
import {
	gitLocationOf,
	goalOf,
	type Repository,
	refOf,
	resolveCommit,
	tipOf,
} from '../repository/repository.ts';
import {commitTree, type Store} from '../store/store.ts';
import {changes} from '../tree/changes.ts';
import {isAncestor, treeOfCommit} from '../tree/commit.ts';

/**
How a move of a branch can be reversed.

- `move`: the branch goes back, since no commit builds on the move
- `commit`: a commit with this tree on top of the branch's tip
- `entangled`: later commits changed the same places of these files
- `lost`: the commit before the move is gone
- `gone`: the branch no longer contains the move, or doesn't exist
- `nothing`: the changes are reversed already
*/
export type Reversal =
	| {
			readonly kind: 'move';
			readonly way: 'forward' | 'back';
			readonly from: string;
			readonly to: string;
			readonly files: number;
	  }
	| {
			readonly kind: 'commit';
			readonly from: string;
			readonly tree: string;
			readonly files: number;
			/** Refs and worktrees that contain the move, besides the branch; empty if the branch itself has new commits. */
			readonly builders: readonly string[];
	  }
	| {readonly kind: 'entangled'; readonly paths: readonly string[]}
	| {readonly kind: 'lost'}
	| {readonly kind: 'gone'}
	| {readonly kind: 'nothing'};

export type ReversedMove = {
	readonly target: string;
	readonly from: string;
	readonly to: string;
	/** True if work outside of git's knowledge is built on it. */
	readonly isBuiltOn?: boolean;
};

/** Returns how a move of a branch can be reversed now; only reads the person's repository. */
export const findReversal = async (
	repository: Repository,
	store: Store,
	{target, from, to, isBuiltOn = false}: ReversedMove,
): Promise<Reversal> => {
	const tip = await tipOf(repository, target);
	if (tip === undefined || !(await isAncestor(store, to, tip))) {
		return {kind: 'gone'};
	}

	if ((await resolveCommit(store, from)) === undefined) {
		return {kind: 'lost'};
	}

	const way = (await isAncestor(store, to, from)) ? 'forward' : 'back';
	const builders = tip === to && way === 'back' ? await buildersOn(repository, to, target) : [];
	const isFree = way === 'forward' || (!isBuiltOn && builders.length === 0);
	return tip === to && isFree
		? {kind: 'move', way, from: to, to: from, files: (await changes(store, to, from)).length}
		: merged(store, {tip, from, to, builders});
};

type Built = {
	readonly tip: string;
	readonly from: string;
	readonly to: string;
	readonly builders: readonly string[];
};

/** Merges the reversal into the tip, with the move's commit as base, so that later changes elsewhere stay. */
const merged = async (store: Store, {tip, from, to, builders}: Built): Promise<Reversal> => {
	const wayBack = await commitTree(store, {
		tree: await treeOfCommit(store, from),
		parents: [to],
		message: 'The way back',
		at: '1970-01-01T00:00:00Z',
	});
	const result = await mergeCommits(store, tip, wayBack);
	if (!result.clean) {
		return {kind: 'entangled', paths: [...new Set(result.conflicts.map(({path}) => path))]};
	}

	const {tree} = result;
	const files = (await changes(store, tip, tree)).length;
	return files === 0 ? {kind: 'nothing'} : {kind: 'commit', from: tip, tree, files, builders};
};

/** Refs that don't count: the stash, and our own. */
const idle = /^refs\/(?:stash$|delegate\/)/;

/** Returns the refs and worktrees that contain a commit, besides a branch: other branches, remote ones, tags, and worktrees with a detached HEAD. If there are none, the branch can be reset without orphaning commits. */
export const buildersOn = async (
	repository: Repository,
	commit: string,
	branch: string,
): Promise<readonly string[]> => {
	const own = refOf(await goalOf(repository, branch));
	const builders = (await refsWith(repository, commit)).filter(
		ref => ref !== own && !idle.test(ref),
	);
	return [...builders, ...(await detachedOn(repository, commit))];
};

/** Returns the remote branches that contain a commit, as far as git knows of them here. */
export const remotesWith = async (
	repository: Repository,
	commit: string,
): Promise<readonly string[]> =>
	(await refsWith(repository, commit, 'refs/remotes/')).map(nameOfBuilder);

/** Returns the refs that contain a commit; a symbolic ref counts as its target. */
const refsWith = async (
	repository: Repository,
	commit: string,
	...below: readonly string[]
): Promise<readonly string[]> => {
	const format = '--format=%(if)%(symref)%(then)%(else)%(refname)%(end)';
	const words = ['for-each-ref', format, '--contains', commit, ...below];
	return linesOf(await sealed(gitLocationOf(repository), words)).filter(ref => ref !== '');
};

/** Returns the short name of a ref; a worktree's folder stays unchanged. */
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
