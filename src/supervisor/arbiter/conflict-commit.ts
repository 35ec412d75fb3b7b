import {conflictText} from '../../git/merge/conflict-text.ts';
import {commitTree} from '../../git/store/store.ts';
import {writeBlob} from '../../git/tree/blobs.ts';
import {graft} from '../../git/tree/graft.ts';
import type {ItemOf} from '../../state/item.ts';
import {type FileConflictItem, isBreakage} from '../../state/items/conflict/breakage.ts';
import {membersOf} from '../../state/merge/members.ts';
import type {State} from '../../state/state.ts';
import {putTogether} from '../merging/fit-result.ts';
import {holdCommit} from '../merging/starting-commit.ts';
import {sidesOf} from '../perform/resolution.ts';
import {requireSession, type Works, type World} from '../world.ts';

/**
Returns a commit with all the work of the merge and the conflict as git left it: with conflict markers, or with both sides complete if git merged them without one.

For other conflicts it contains the side that came first.
*/
export const conflictCommit = async (
	world: World,
	state: State,
	item: ItemOf<'conflict'>,
): Promise<string> => {
	const {tip, startedAt} = requireSession(state);
	const {tree} = await putTogether(world, state, membersOf(state.merge));
	const commit = await commitTree(world.store, {
		tree: isBreakage(item) ? tree : await withMarkers(world, tree, item),
		parents: [tip],
		message: `${item.path} as git left it\n`,
		at: startedAt,
	});
	await holdCommit(world, state, 'base', commit);
	return commit;
};

/** Returns a tree with a conflicted file as git left it. A file that isn't text gets one side's version; the brief describes the other. */
export const withMarkers = async (
	{store}: Pick<Works, 'store'>,
	tree: string,
	item: FileConflictItem,
): Promise<string> => {
	const {path, stages} = item;
	const entry = stages.a ?? stages.b;
	if (entry === null) {
		return tree;
	}

	const text = await conflictText(store, sidesOf(item));
	const oid = text.kind === 'text' ? await writeBlob(store, text.text) : entry.oid;
	const now = {mode: entry.mode, oid};
	return graft(store, {onto: tree, changes: [{status: 'M', path, old: entry, new: now}]});
};
