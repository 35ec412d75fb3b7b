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
	/** Its content, as far as it changes. */
	readonly from: string;
	readonly to: string;
	/** A snapshot, for the bytes of the files that are the same in it. */
	readonly snapshot?: string;
	/** Name of the file that keeps what goes, as a patch. */
	readonly patch: string;
	/** Events for when the files are there. */
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
			changes: await reachable(
				folder.tree,
				agent.subtask.checkout,
				await changes(world.store, to, from),
			),
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
		leftOut: leftOutBy(agent),
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
	const differences = await changes(store, held, now);
	const reached = await reachable(tree, agent.subtask.checkout, differences);
	await revertPaths(store, {tree, changes: reached, patchFile});
	const snapshot = lastSnapshot(agent)?.commit;
	if (snapshot !== undefined) {
		await putRawBytesBack(store, {tree, held, snapshot});
	}
};

/** Returns the tree that an agent's worktree amounts to now. */
export const treeNow = (world: World, agent: Agent): Promise<string> => {
	const {tree, index} = world.folder.agent(agent.id);
	return worktreeTree(world.store, {tree, index, seed: seedOf(agent), leftOut: leftOutBy(agent)});
};

/** Returns what an agent's sparse worktree leaves out, as in its baseline. */
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
Clears the place of a worktree that we made ourselves and that nobody has worked in.

A folder that can't be removed, for `setup` may have made it read-only, can be moved all the same: it stays in `discarded` then, and is in nobody's way.
*/
export const discard = async (folder: AgentFolder): Promise<void> => {
	const discarded = join(folder.path, 'discarded');
	await mkdir(discarded, {recursive: true});
	await moveInto(folder, await mkdtemp(join(discarded, 'try-')));
	await rm(discarded, {recursive: true, force: true}).catch(() => {});
};

/** Moves a worktree away with its hub and its index, as far as they are there. It is called `tree` there. */
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

/** Change of an agent's worktree that is under way. */
export type Doing =
	/** Its files are brought from one tree to another. */
	| 'changed'
	/** It is recreated; what was there instead lies in the folder of this name. */
	| {readonly aside: string};

/**
Notes beside an agent's worktree that it is neither as its agent left it nor as the journal tells.

It is written before the first file is touched, and removed when the event is written that tells of the last one. So whoever finds it knows that somebody was cut off in between, and that what is there is nobody's work.
*/
export const noteUnfinished = ({unfinished}: AgentFolder, doing: Doing): Promise<void> =>
	writeAtomically(unfinished, doing === 'changed' ? '' : doing.aside);

/** Returns what was being done to a worktree, if that did not come to its end. */
export const unfinishedIn = async ({unfinished}: AgentFolder): Promise<Doing | undefined> => {
	const aside = await ifThere(readFile(unfinished, 'utf8'));
	if (aside === undefined) {
		return undefined;
	}

	return aside === '' ? 'changed' : {aside};
};

/** Says that a worktree is as the journal tells. */
export const noteFinished = ({unfinished}: AgentFolder): Promise<void> =>
	rm(unfinished, {force: true});

/** Returns whose worktree was being made or changed by a supervisor that did not come to the end of it. */
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

/** Before the journal tells of a worktree, whatever there is of one was being made, or could not be. */
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
