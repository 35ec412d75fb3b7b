import {asChange, mergeWork} from '../../conflicts/input.ts';
import {type ReplayParts, replay} from '../../conflicts/replay.ts';
import type {Body, TreeEntry} from '../../events/event.ts';
import type {Replayed} from '../../events/kinds/merge-event.ts';
import {conflictText} from '../../git/merge/conflict-text.ts';
import type {MergeConflict} from '../../git/merge/merge-tree.ts';
import {copyBorrowed} from '../../git/store/copy-borrowed.ts';
import {writeBlob} from '../../git/tree/blobs.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {graft} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {type Agent, lastSnapshot, type Snapshot} from '../../state/agent/agent.ts';
import type {ItemOf, Order} from '../../state/item.ts';
import {type FileConflictItem, isBreakage} from '../../state/items/conflict/breakage.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {putUnder, startingCommit} from '../merging/starting-commit.ts';
import {selected} from '../picking/select-work.ts';
import {changeWorktree} from '../worktree/change-worktree.ts';
import {heldTree, treeAfter} from '../worktree/hidden-in.ts';
import {rebuildNow} from '../worktree/rebuild.ts';
import {requireSession, type Works, type World} from '../world.ts';

/**
Moves an agent's work onto other work, so that the agent can redo its changes on it.

The worktree gets the merge of both, including conflict markers; the other work becomes the baseline, so the agent's changes are only its own again. Until the agent has worked on, its last snapshot remains its work.
*/
export const rework = async (
	world: World,
	state: State,
	agent: Agent,
	onto: readonly string[],
): Promise<readonly Body[]> => {
	const snapshot = lastSnapshot(agent);
	if (!snapshot || agent.workspace.phase !== 'ready') {
		throw new Failure('internal', `${agent.id} has no work to apply again.`);
	}

	const {tip} = requireSession(state);
	const base = await startingCommit(world, state, onto, tip);
	const {tree, conflicts} = await merged(world, agent, snapshot, {base, onto});
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

/** Returns which of an agent's snapshots apply, in order, to others' work at the paths of a conflict; `undefined` if the agent has no work, or git merges the conflict. */
export const replayedOn = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	{earlier, later}: Order,
): Promise<Replayed | undefined> => {
	const agent = agentOf(state, later);
	const [input] = await selected(works, state, [later]);
	const last = agent && lastSnapshot(agent);
	if (agent === undefined || last === undefined || input === undefined || isBreakage(item)) {
		return undefined;
	}

	const {tip} = requireSession(state);
	const onto = await putUnder(
		works,
		state,
		earlier.filter(name => name !== 'target'),
		tip,
	);
	// A person's selection of parts has no snapshots.
	const kept = input.whole === undefined ? keptOn(agent, input.base) : [last];
	const commits = kept.map(({work}) => (input.whole === undefined ? work : input.commit));
	const {path, evidence} = item;
	const paths = [...new Set([path, ...evidence.map(one => one.path)])];
	const {tree, applied, left, conflicts} = await replay(works.store, {
		...{onto, base: input.base, commits, paths},
	});
	const entries = await entriesAt(works.store, tree, paths);
	const numbers = (positions: readonly number[]) =>
		positions.flatMap(position => kept[position]?.number ?? []);
	const files = paths.map(one => ({path: one, entry: entries.get(one) ?? null}));
	const [rest] = conflicts;
	if (rest === undefined) {
		return {applied: numbers(applied), left: [], files};
	}

	// The rest of a rename involves several paths, and can only be decided as a whole.
	return paths.length > 1 || rest.path !== path
		? {applied: [], left: numbers([...applied, ...left]), files: [], rest: item.stages}
		: {applied: numbers(applied), left: numbers(left), files, rest: restFor(item, later, rest)};
};

/** Returns an agent's snapshots that are based on a commit. */
const keptOn = ({snapshots}: Agent, base: string): readonly Snapshot[] =>
	snapshots.filter(({startingPoint}) => startingPoint.base === base);

/** Returns both sides of a conflict after part of the later side was applied to the earlier one. */
const restFor = (
	{b}: FileConflictItem,
	later: string,
	conflict: MergeConflict,
): FileConflictItem['stages'] => {
	const {
		base = null,
		ours = null,
		theirs = null,
	}: {readonly [Stage in 'base' | 'ours' | 'theirs']?: TreeEntry | null} = conflict;
	return b.includes(later) ? {base, a: ours, b: theirs} : {base, a: theirs, b: ours};
};

type Onto = {readonly base: string; readonly onto: readonly string[]};

/** Returns the tree of a worktree after its work moved onto other work. */
const merged = async (
	world: World,
	agent: Agent,
	snapshot: Snapshot,
	{base, onto}: Onto,
): Promise<{readonly tree: string; readonly conflicts: readonly string[]}> => {
	const own = {base: snapshot.startingPoint.base, commit: snapshot.work};
	const result = await mergeWork(world.store, base, own);
	const labels = {ours: onto[0] ?? 'target', base: 'before', theirs: agent.id};
	const conflicts: string[] = [];
	const written: Change[] = [];
	for (const conflict of result.clean ? [] : result.conflicts) {
		const rest = await leftAfterReplay(world, agent, conflict, {onto: base, base: own.base});
		if ('status' in rest) {
			written.push(rest);
		} else {
			conflicts.push(conflict.path);
			written.push(await markedFile(world, rest, labels));
		}
	}

	const wanted = await graft(world.store, {onto: result.tree, changes: written});
	const tree = await graft(world.store, {
		onto: await treeAfter(world, snapshot),
		changes: await changes(world.store, snapshot.work, wanted),
	});
	return {tree, conflicts};
};

/** Returns the rest of a conflict after an agent's snapshots were applied as far as possible, or the resulting change if all were. A rename is left as git decided it. */
const leftAfterReplay = async (
	{store}: World,
	agent: Agent,
	conflict: MergeConflict,
	on: Pick<ReplayParts, 'onto' | 'base'>,
): Promise<MergeConflict | Change> => {
	const {path, paths} = conflict;
	if (paths.length > 1) {
		return conflict;
	}

	const commits = keptOn(agent, on.base).map(({work}) => work);
	const {tree, conflicts} = await replay(store, {...on, commits, paths});
	if (conflicts.length > 0) {
		return conflicts.find(rest => rest.path === path) ?? conflict;
	}

	return asChange({path, entry: (await entriesAt(store, tree, [path])).get(path) ?? null});
};

const nothing = {mode: '000000', oid: ''};

/** Returns a file with conflict markers; a binary file keeps the agent's side, and the prompt says that the other side differs. */
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
