import {join} from 'node:path';
import type {Body} from '../../events/event.ts';
import {changes} from '../../git/tree/changes.ts';
import {revertPaths} from '../../git/worktree/revert/revert-paths.ts';
import {putRawBytesBack} from '../../git/worktree/snapshot/raw-bytes.ts';
import {takeSnapshot} from '../../git/worktree/snapshot/snapshot.ts';
import {worktreeTree} from '../../git/worktree/snapshot/worktree-tree.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {lastSnapshot} from '../../state/select.ts';
import {snapshotRef, type World} from '../world.ts';
import {heldTree} from './held-tree.ts';
import {noteFinished, noteUnfinished} from './unfinished.ts';

export type ChangeParts = {
	/** What it holds, as far as it is to change. */
	readonly from: string;
	readonly to: string;
	/** A snapshot, for the bytes of the files that are the same in it. */
	readonly snapshot?: string;
	/** Name of the file that keeps what goes, as a patch. */
	readonly patch: string;
	/** What has happened when the files are there. */
	readonly events: () => Promise<readonly Body[]>;
};

/**
Brings an agent's worktree from one tree to another, and tells it; nobody may work there, and nothing else of the agent's be under way.

Files that are the same in both are left as they are. A change that is cut off is seen by the next one who needs the worktree, and taken back.

@throws `Failure` of kind `refused` when a file that is to change is not what the first tree says.
*/
export const changeWorktree = async (
	world: World,
	agent: Agent,
	{from, to, snapshot, patch, events}: ChangeParts,
): Promise<void> => {
	const folder = world.folder.agent(agent.id);
	const before = await treeNow(world, agent);
	await noteUnfinished(folder, 'changed');
	try {
		await revertPaths(world.store, {
			tree: folder.tree,
			changes: await changes(world.store, to, from),
			patchFile: join(folder.path, `${patch}.patch`),
		});
	} catch (error) {
		// A change that was refused has touched nothing, so nothing has to be taken back.
		const after = await treeNow(world, agent).catch(() => undefined);
		if (after === before) {
			await noteFinished(folder);
		}

		throw error;
	}

	if (snapshot !== undefined) {
		await putRawBytesBack(world.store, {tree: folder.tree, held: to, snapshot});
	}

	await world.append(await events());
	await noteFinished(folder);
};

/** Puts a worktree back whose change was cut off. What was left of that is pinned first: there may be somebody's work in it. */
export const takeChangeBack = async (world: World, agent: Agent): Promise<void> => {
	const folder = world.folder.agent(agent.id);
	const number = await world.nextSnapshot(agent.id);
	const {tree} = await takeSnapshot(world.store, {
		tree: folder.tree,
		index: folder.index,
		parents: [seedOf(agent)],
		ref: snapshotRef(world.session, agent.id, number),
		message: `${agent.id} snapshot ${number} (cut off)`,
		at: world.now(),
	});
	await putBack(world, agent, tree, 'cut-off');
	await noteFinished(folder);
};

/** Brings a worktree from what it holds now to what the journal tells of it, with the bytes that files had at the agent's last snapshot; a patch of that name keeps what goes. */
export const putBack = async (
	{store, folder}: World,
	agent: Agent,
	now: string,
	patch: string,
): Promise<void> => {
	const {path, tree} = folder.agent(agent.id);
	const held = await heldTree({store}, agent);
	const patchFile = join(path, `${patch}.patch`);
	await revertPaths(store, {tree, changes: await changes(store, held, now), patchFile});
	const snapshot = lastSnapshot(agent)?.commit;
	if (snapshot !== undefined) {
		await putRawBytesBack(store, {tree, held, snapshot});
	}
};

/** Returns the tree that an agent's worktree amounts to now. */
export const treeNow = (world: World, agent: Agent): Promise<string> => {
	const {tree, index} = world.folder.agent(agent.id);
	return worktreeTree(world.store, {tree, index, seed: seedOf(agent)});
};

const seedOf = (agent: Agent): string => {
	const {workspace} = agent;
	if (workspace.phase === 'wanted') {
		throw new Failure('internal', `${agent.id} has no worktree yet.`);
	}

	return lastSnapshot(agent)?.commit ?? workspace.base;
};
