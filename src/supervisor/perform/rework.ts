import {mergeWork} from '../../conflicts/input.ts';
import type {Body} from '../../events/event.ts';
import {conflictText} from '../../git/merge/conflict-text.ts';
import type {MergeConflict} from '../../git/merge/merge-tree.ts';
import {copyBorrowed} from '../../git/store/copy-borrowed.ts';
import {writeBlob} from '../../git/tree/blobs.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {graft} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {startingCommit} from '../merging/starting-commit.ts';
import {changeWorktree} from '../worktree/change-worktree.ts';
import {heldTree, treeAfter} from '../worktree/hidden-in.ts';
import {rebuildNow} from '../worktree/rebuild.ts';
import {requireSession, type World} from '../world.ts';

/**
Puts other work under an agent's own, so that it can bring its changes in again.

Its worktree gets the merge of both, conflict markers included; its baseline becomes what it now stands on, so its changes are again only its own. Its last snapshot stands where it stood: until the agent has worked again, its work is what it was.
*/
export const rework = async (
	world: World,
	state: State,
	agent: Agent,
	onto: readonly string[],
): Promise<readonly Body[]> => {
	const snapshot = lastSnapshot(agent);
	if (!snapshot || agent.workspace.phase !== 'ready') {
		throw new Failure('internal', `${agent.id} has no work to bring in again.`);
	}

	const {tip, startedAt} = requireSession(state);
	const base = await startingCommit(world, state, onto, tip);
	const {tree, conflicts} = await merged(world, agent, snapshot, {base, onto, at: startedAt});
	const baseline = await graft(world.store, {
		onto: snapshot.startingPoint.baseline,
		changes: await changes(world.store, snapshot.startingPoint.base, base),
	});
	const beyond = [base, snapshot.commit];
	await copyBorrowed(world.store, {of: [tree, baseline], beyond});
	await world.serially(agent.id, async () => {
		await rebuildNow(world, state, agent);
		await changeWorktree(world, agent, {
			from: await heldTree(world, agent),
			to: tree,
			patch: 'rework',
			events: async () => [
				{kind: 'workspace.prepared', agent: agent.id, base, baseline, onto, conflicts, tree},
			],
		});
	});
	return [];
};

type Onto = {readonly base: string; readonly onto: readonly string[]; readonly at: string};

/** Returns what a worktree is to hold once its work stands on other work. */
const merged = async (
	world: World,
	{id}: Agent,
	snapshot: Snapshot,
	{base, onto, at}: Onto,
): Promise<{readonly tree: string; readonly conflicts: readonly string[]}> => {
	const own = {base: snapshot.startingPoint.base, commit: snapshot.work};
	const result = await mergeWork(world.store, base, own, at);
	const conflicts = result.clean ? [] : result.conflicts;
	const labels = {ours: onto[0] ?? 'target', base: 'before', theirs: id};
	const marked = await Promise.all(conflicts.map(conflict => markedFile(world, conflict, labels)));
	const wanted = await graft(world.store, {onto: result.tree, changes: marked});
	const tree = await graft(world.store, {
		onto: await treeAfter(world, snapshot),
		changes: await changes(world.store, snapshot.work, wanted),
	});
	return {tree, conflicts: conflicts.map(({path}) => path)};
};

const nothing = {mode: '000000', oid: ''};

/** Where there is no text to mark, the agent finds its own side and is told that the other differs. */
const markedFile = async (
	world: World,
	conflict: MergeConflict,
	labels: {ours: string; base: string; theirs: string},
): Promise<Change> => {
	const {path, ours, theirs} = conflict;
	const own = theirs ?? ours;
	if (own === undefined) {
		return {status: 'D', path, old: nothing};
	}

	const text = await conflictText(world.store, {...conflict, labels});
	const oid = text.kind === 'text' ? await writeBlob(world.store, text.text) : own.oid;
	return {status: 'M', path, old: nothing, new: {mode: own.mode, oid}};
};
