import {join} from 'node:path';
import {mergeWork} from '../../conflicts/merge-work.ts';
import type {Body} from '../../events/event.ts';
import {writeBlob} from '../../git/blobs.ts';
import {type Change, changes} from '../../git/changes.ts';
import {conflictText} from '../../git/conflict-text.ts';
import {graft} from '../../git/graft.ts';
import type {MergeConflict} from '../../git/merge-tree.ts';
import {putBack} from '../../git/put-back.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent} from '../../state/agent.ts';
import type {State} from '../../state/state.ts';
import {groundFor} from '../ground.ts';
import {rebuildIfGone} from '../rebuild.ts';
import type {World} from '../world.ts';
import {requireSession} from './prepare.ts';

/**
Puts other work under an agent's own, so that it can bring its changes in again.

Its worktree gets the merge of both, conflict markers included; its baseline becomes what it now stands on, so its changes are again only its own.
*/
export const rework = async (
	world: World,
	state: State,
	agent: Agent,
	onto: readonly string[],
): Promise<readonly Body[]> => {
	const snapshot = agent.snapshots.at(-1);
	if (!snapshot || agent.workspace.phase !== 'ready') {
		throw new Failure('internal', `${agent.id} has no work to bring in again.`);
	}

	const rebuilt = await rebuildIfGone(world, state, agent);
	const {base, baseline} = agent.workspace;
	const {tip, startedAt} = requireSession(state);
	const ground = await groundFor(world, state, onto, tip);
	const own = {base, commit: snapshot.work};
	const merged = await mergeWork(world.store, ground, own, startedAt);
	const conflicts = merged.clean ? [] : merged.conflicts;
	const labels = {ours: [...onto, 'target'][0] ?? 'target', base: 'before', theirs: agent.id};
	const marked = await Promise.all(conflicts.map(conflict => markedFile(world, conflict, labels)));
	const wanted = await graft(world.store, {onto: merged.tree, changes: marked});
	const folder = world.folder.agent(agent.id);
	await world.serially(agent.id, async () =>
		putBack(world.store, {
			tree: folder.tree,
			changes: await changes(world.store, wanted, snapshot.work),
			patchFile: join(folder.path, 'rework.patch'),
		}),
	);
	return [
		...rebuilt,
		{
			kind: 'workspace.prepared',
			agent: agent.id,
			base: ground,
			baseline: await graft(world.store, {
				onto: baseline,
				changes: await changes(world.store, base, ground),
			}),
			onto,
			conflicts: conflicts.map(({path}) => path),
		},
	];
};

const nothing = {mode: '000000', oid: ''};

/** Where there is no text to mark, the agent finds its own side and is told that the other differs. */
const markedFile = async (
	world: World,
	{path, base, ours, theirs}: MergeConflict,
	labels: {ours: string; base: string; theirs: string},
): Promise<Change> => {
	const own = theirs ?? ours;
	if (own === undefined) {
		return {status: 'D', path, old: nothing};
	}

	const text = await conflictText(world.store, {
		...(base === undefined ? {} : {base}),
		...(ours === undefined ? {} : {ours}),
		...(theirs === undefined ? {} : {theirs}),
		labels,
	});
	const oid = text.kind === 'text' ? await writeBlob(world.store, text.text) : own.oid;
	return {status: 'M', path, old: nothing, new: {mode: own.mode, oid}};
};
