import type {MergeConflict} from '../git/merge/merge-tree.ts';
import type {Store} from '../git/store/store.ts';
import {changes} from '../git/tree/changes.ts';
import {graft} from '../git/tree/graft.ts';
import {isSame} from '../lib/values.ts';
import {keepingSide} from './either-side.ts';
import {mergeWork} from './input.ts';

/** Commits of one work in order, to be replayed at some paths onto a commit. */
export type ReplayParts = {
	readonly onto: string;
	/** Parent of the first commit. */
	readonly base: string;
	readonly commits: readonly string[];
	readonly paths: readonly string[];
};

export type Replay = {
	/** Tree after the commits that applied. */
	readonly tree: string;
	/** Indexes of the commits with changes at the paths that apply, and of the remaining ones. */
	readonly applied: readonly number[];
	readonly left: readonly number[];
	/** Conflicts of the remaining commits, after the last one that applied. */
	readonly conflicts: readonly MergeConflict[];
};

/**
Applies the changes of each commit at these paths to another commit, with a three-way merge for each, like a rebase.

It stops at the first one that doesn't apply: later ones were written on top of it. The remaining ones are then merged as one change, since they may have reverted the part that didn't apply.
*/
export const replay = async (
	store: Store,
	{onto, base, commits, paths}: ReplayParts,
): Promise<Replay> => {
	const steps = await stepsAt(store, {base, commits, paths});
	const positions = steps.map(({position}) => position);
	const mergeAt = async (tree: string, from: string, to: string) => {
		const merged = await mergeWork(store, tree, {base: from, commit: to});
		const conflicts = merged.clean
			? []
			: merged.conflicts.filter(one => one.paths.some(path => paths.includes(path)));
		return {
			conflicts,
			tree: merged.clean ? merged.tree : await keepingSide(store, merged, 'ours'),
		};
	};

	let tree = onto;
	let from = base;
	for (const [done, step] of steps.entries()) {
		const merged = await mergeAt(tree, from, step.tree);
		if (merged.conflicts.length > 0) {
			const last = steps.at(-1) ?? step;
			const rest = last === step ? merged : await mergeAt(tree, from, last.tree);
			return rest.conflicts.length === 0
				? {tree: rest.tree, applied: positions, left: [], conflicts: []}
				: {
						tree,
						applied: positions.slice(0, done),
						left: positions.slice(done),
						conflicts: rest.conflicts,
					};
		}

		({tree} = merged);
		from = step.tree;
	}

	return {tree, applied: positions, left: [], conflicts: []};
};

type Step = {readonly position: number; readonly tree: string};

/** Returns the base with each commit's content at the paths, for commits that changed it. */
const stepsAt = async (
	store: Store,
	{base, commits, paths}: Pick<ReplayParts, 'base' | 'commits' | 'paths'>,
): Promise<readonly Step[]> => {
	const steps: Step[] = [];
	let before: readonly unknown[] = [];
	for (const [position, commit] of commits.entries()) {
		const own = (await changes(store, base, commit)).filter(({path}) => paths.includes(path));
		if (!isSame(own, before)) {
			steps.push({position, tree: await graft(store, {onto: base, changes: own})});
			before = own;
		}
	}

	return steps;
};
