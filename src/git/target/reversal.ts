import {mergeCommits} from '../merge/merge-tree.ts';
import {linesOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {worktrees} from '../repository/checkouts.ts';
import {gitLocationOf, goalOf, type Repository, refOf, tipOf} from '../repository/repository.ts';
import {commitTree, type Store} from '../store/store.ts';
import {changes} from '../tree/changes.ts';
import {isAncestor, treeOfCommit} from '../tree/commit.ts';

/**
How what a move of a branch has brought can be taken back.

- `move`: the branch goes to where it came from, since nobody has built on the move
- `commit`: a commit on top of the branch's tip, with this tree, takes it back
- `entangled`: later commits changed the same places of these files
- `lost`: what the move came from is nowhere any more
- `gone`: the branch no longer holds what the move led to, or doesn't exist
- `nothing`: its changes are taken back already
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
			/** Who stands on the move besides the branch, as far as git knows; nobody is looked for where the branch itself has gone on. */
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
	/** Whether somebody has built on it whom git knows nothing of. */
	readonly isBuiltOn?: boolean;
};

/** Finds out how a move of a branch can be taken back as things stand now; the person's repository is only read. */
export const findReversal = async (
	repository: Repository,
	store: Store,
	{target, from, to, isBuiltOn = false}: ReversedMove,
): Promise<Reversal> => {
	const tip = await tipOf(repository, target);
	if (tip === undefined || !(await isAncestor(store, to, tip))) {
		return {kind: 'gone'};
	}

	if (!(await isAncestor(store, from, from))) {
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

/** Merges the way back into the tip, from where the move led to: later changes elsewhere stay. */
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
