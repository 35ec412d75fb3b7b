import {mkdir, mkdtemp, readFile, rename, rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Body} from '../../events/event.ts';
import type {Unfinished} from '../../events/kinds/machine-event.ts';
import {changes} from '../../git/tree/changes.ts';
import {entryOnDisk} from '../../git/tree/disk-path.ts';
import {revertPaths} from '../../git/worktree/revert-paths.ts';
import {putRawBytesBack} from '../../git/worktree/snapshot/raw-bytes.ts';
import {takeSnapshot, worktreeTree} from '../../git/worktree/snapshot/snapshot.ts';
import {type BeyondCone, reachable} from '../../git/worktree/sparse.ts';
import {Failure} from '../../lib/failure.ts';
import {ifThere, isThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import type {AgentFolder} from '../folder.ts';
import {snapshotRef, type World} from '../world.ts';
import {heldTree} from './hidden-in.ts';

export type ChangeParts = {
	/** Expected content of the worktree, as far as it changes. */
	readonly from: string;
	readonly to: string;
	/** Snapshot whose files have the exact bytes of unchanged ones. */
	readonly snapshot?: string;
	/** Name of the patch file that keeps the removed content. */
	readonly patch: string;
	/** Returns the events to write once the files are in place. */
	readonly events: () => Promise<readonly Body[]>;
};

/**
Changes an agent's worktree from one tree to another, and records it; no process may work there, and the caller must hold the agent's lane.

Files that are equal in both trees are not touched. An interrupted change is detected and reverted before the worktree is used again.

@throws `Failure` of kind `refused` when a file to change differs from the first tree
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
			changes: await reachable(
				folder.tree,
				agent.subtask.checkout,
				await changes(world.store, to, from),
			),
			patchFile: join(folder.path, `${patch}.patch`),
		});
	} catch (error) {
		// A refused change has touched nothing, so there is nothing to revert.
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

/** Reverts an interrupted change of a worktree. First takes a snapshot of the remains: there may be someone's work in it. */
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
		leftOut: leftOutBy(agent),
	});
	await putBack(world, agent, tree, 'cut-off');
	await noteFinished(folder);
};

/** Changes a worktree from its current content to that in the journal, with the exact bytes of files in the agent's last snapshot; a patch of that name keeps the removed content. */
export const putBack = async (
	{store, folder}: World,
	agent: Agent,
	now: string,
	patch: string,
): Promise<void> => {
	const {path, tree} = folder.agent(agent.id);
	const held = await heldTree({store}, agent);
	const patchFile = join(path, `${patch}.patch`);
	const differences = await changes(store, held, now);
	const reached = await reachable(tree, agent.subtask.checkout, differences);
	await revertPaths(store, {tree, changes: reached, patchFile});
	const snapshot = lastSnapshot(agent)?.commit;
	if (snapshot !== undefined) {
		await putRawBytesBack(store, {tree, held, snapshot});
	}
};

/** Returns the tree of an agent's worktree in its current state. */
export const treeNow = (world: World, agent: Agent): Promise<string> => {
	const {tree, index} = world.folder.agent(agent.id);
	return worktreeTree(world.store, {tree, index, seed: seedOf(agent), leftOut: leftOutBy(agent)});
};

/** Returns the part that an agent's sparse checkout leaves out, as in its baseline. */
export const leftOutBy = (
	{subtask: {checkout}, workspace}: Pick<Agent, 'subtask' | 'workspace'>,
	as = workspace.phase === 'ready' ? workspace.baseline : undefined,
): BeyondCone | undefined =>
	checkout === undefined || as === undefined ? undefined : {folders: checkout, as};

const seedOf = (agent: Agent): string => {
	const {workspace} = agent;
	if (workspace.phase === 'wanted') {
		throw new Failure('internal', `${agent.id} has no worktree yet.`);
	}

	return lastSnapshot(agent)?.commit ?? workspace.base;
};

/**
Removes a worktree that the supervisor made and that no agent has worked in.

A folder that can't be removed, because `setup` made it read-only, can still be moved: it stays in `discarded`, where it disturbs nothing.
*/
export const discard = async (folder: AgentFolder): Promise<void> => {
	const discarded = join(folder.path, 'discarded');
	await mkdir(discarded, {recursive: true});
	await moveInto(folder, await mkdtemp(join(discarded, 'try-')));
	await rm(discarded, {recursive: true, force: true}).catch(() => {});
};

/** Moves a worktree with its hub and its index, as far as they exist, into a folder. There the worktree's name is `tree`. */
export const moveInto = async (
	{path, tree, hub, index}: AgentFolder,
	destination: string,
): Promise<void> => {
	const parts = [
		[tree, 'tree'],
		[hub, basename(hub)],
		[index, basename(index)],
	] as const;
	for (const [part, name] of parts) {
		if ((await entryOnDisk(path, basename(part))) !== undefined) {
			await rename(part, join(destination, name));
		}
	}
};

/** Unfinished change of an agent's worktree. */
export type Doing =
	/** Its files are being changed from one tree to another. */
	| 'changed'
	/** It is being recreated; the folder of this name contains what was in its place. */
	| {readonly aside: string};

/**
Writes a mark beside an agent's worktree: its content is neither the agent's nor the one in the journal.

The mark is written before the first file is touched, and removed after the event of the change is written. So if it exists, the change was interrupted, and the content isn't any agent's work.
*/
export const noteUnfinished = ({unfinished}: AgentFolder, doing: Doing): Promise<void> =>
	writeAtomically(unfinished, doing === 'changed' ? '' : doing.aside);

/** Returns the change of a worktree that was interrupted, if any. */
export const unfinishedIn = async ({unfinished}: AgentFolder): Promise<Doing | undefined> => {
	const aside = await ifThere(readFile(unfinished, 'utf8'));
	if (aside === undefined) {
		return undefined;
	}

	return aside === '' ? 'changed' : {aside};
};

/** Removes the mark: the worktree agrees with the journal. */
export const noteFinished = ({unfinished}: AgentFolder): Promise<void> =>
	rm(unfinished, {force: true});

/** Returns the agents whose worktree a supervisor began to make or change and didn't finish. */
export const whatIsUnfinished = async (
	{folder}: Pick<World, 'folder'>,
	{agents}: State,
): Promise<readonly Unfinished[]> => {
	const found = agents
		.filter(({state}) => state !== 'MERGED' && state !== 'ABORTED')
		.map(async agent => ({agent: agent.id, doing: await doingIn(folder.agent(agent.id), agent)}));
	return (await Promise.all(found)).flatMap(({agent, doing}) =>
		doing === undefined ? [] : [{agent, doing}],
	);
};

/** Returns the kind of an unfinished change. Before the journal mentions a worktree, all that exists of it is an unfinished or failed try. */
const doingIn = async (
	folder: AgentFolder,
	{workspace, state}: Agent,
): Promise<Unfinished['doing'] | undefined> => {
	if (workspace.phase === 'wanted') {
		const isThereSome = (await isThere(folder.hub)) || (await isThere(folder.tree));
		return isThereSome && state !== 'FAILED' ? 'made' : undefined;
	}

	const doing = await unfinishedIn(folder);
	return doing === undefined || doing === 'changed' ? doing : 'made';
};
