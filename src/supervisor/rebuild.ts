import {lstat, mkdir, mkdtemp, rename} from 'node:fs/promises';
import {basename, join, relative} from 'node:path';
import type {Body} from '../events/event.ts';
import {changes} from '../git/changes.ts';
import {putBack} from '../git/put-back.ts';
import {worktreeTree} from '../git/worktree-tree.ts';
import {errorCode} from '../lib/disk-failure.ts';
import type {Agent} from '../state/agent.ts';
import type {State} from '../state/state.ts';
import {layOut} from './perform/prepare.ts';
import type {World} from './world.ts';

/**
Makes an agent's worktree anew if it was deleted or something else stands in its place, and returns what came of that.

It gets the files of the last snapshot, after `copy` and `setup` as at the first start. What is left of the old one is moved aside, never removed.
*/
export const rebuildIfGone = (world: World, state: State, agent: Agent): Promise<readonly Body[]> =>
	world.serially(agent.id, async () => {
		const {workspace} = agent;
		const folder = world.folder.agent(agent.id);
		if (workspace.phase !== 'ready' || (await isFolder(folder.tree))) {
			return [];
		}

		// A process that was kept for its next turn stands in a folder that is no more.
		await world.conversations.end(agent.id);
		const aside = await moveAside(folder.path, [folder.tree, folder.hub, folder.index]);
		await layOut(world, state, agent, workspace.base);
		const last = agent.snapshots.at(-1);
		const goal = last?.tree ?? workspace.baseline;
		const now = await worktreeTree(world.store, {...folder, seed: workspace.base});
		await putBack(world.store, {
			tree: folder.tree,
			changes: await changes(world.store, goal, now),
			patchFile: join(folder.path, 'rebuild.patch'),
		});
		return [
			{
				kind: 'workspace.prepared',
				agent: agent.id,
				base: workspace.base,
				baseline: workspace.baseline,
				onto: workspace.onto,
				conflicts: workspace.conflicts,
				rebuilt: {snapshot: last?.number ?? null, aside: relative(world.folder.path, aside)},
			},
		];
	});

/** A link in its place would lead to somebody else's files. */
const isFolder = async (tree: string): Promise<boolean> => {
	try {
		return (await lstat(tree)).isDirectory();
	} catch (error) {
		if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) {
			return false;
		}

		throw error;
	}
};

const moveAside = async (folder: string, paths: readonly string[]): Promise<string> => {
	await mkdir(folder, {recursive: true});
	const aside = await mkdtemp(join(folder, 'replaced-'));
	for (const path of paths) {
		await rename(path, join(aside, basename(path))).catch(unlessAbsent);
	}

	return aside;
};

const unlessAbsent = (error: unknown): void => {
	if (errorCode(error) !== 'ENOENT') {
		throw error;
	}
};
