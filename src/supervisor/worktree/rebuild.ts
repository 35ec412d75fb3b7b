import {mkdir, mkdtemp} from 'node:fs/promises';
import {basename, join, relative} from 'node:path';
import {entryOnDisk} from '../../git/tree/disk-path.ts';
import {type Agent, lastSnapshot, type Workspace} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import type {AgentFolder} from '../folder.ts';
import {layOut} from '../perform/prepare.ts';
import type {World} from '../world.ts';
import {
	moveInto,
	noteFinished,
	noteUnfinished,
	putBack,
	takeChangeBack,
	treeNow,
	unfinishedIn,
} from './change-worktree.ts';

/**
Makes an agent's worktree agree with the journal before it is used again.

A deleted or replaced worktree is recreated, which is recorded: it gets its last files, after `copy` and `setup` as at the first start. The remains of the old one are moved aside, never removed. An interrupted change is reverted.
*/
export const rebuildIfGone = (world: World, state: State, agent: Agent): Promise<void> =>
	world.serially(agent.id, () => rebuildNow(world, state, agent));

/** Rebuilds a worktree while the caller holds the agent's lane. */
export const rebuildNow = async (world: World, state: State, agent: Agent): Promise<void> => {
	const folder = world.folder.agent(agent.id);
	const {workspace} = agent;
	if (workspace.phase === 'wanted') {
		return;
	}

	const interrupted = await unfinishedIn(folder);
	const isThere = await holdsTree(folder);
	if (isThere && interrupted === 'changed') {
		await takeChangeBack(world, agent);
	} else if (!isThere || interrupted !== undefined) {
		const isBegun = interrupted !== undefined && interrupted !== 'changed';
		await rebuild(world, state, {...agent, workspace}, isBegun ? interrupted.aside : undefined);
	}
};

/** Returns whether the worktree is a real folder: a link in its place could lead to someone else's files. */
const holdsTree = async ({path, tree}: AgentFolder): Promise<boolean> => {
	const entry = await entryOnDisk(path, basename(tree));
	return entry?.isDirectory() ?? false;
};

/** Recreates a worktree. After an interrupted try, the old one was moved already, and the rest is our own. */
const rebuild = async (
	world: World,
	state: State,
	agent: Agent & {readonly workspace: Extract<Workspace, {phase: 'ready'}>},
	begun: string | undefined,
): Promise<void> => {
	const {workspace} = agent;
	// The working directory of a kept process no longer exists.
	await world.conversations.end(agent.id);
	const folder = world.folder.agent(agent.id);
	const aside = begun ?? (await moveAside(folder));
	await noteUnfinished(folder, {aside});
	await layOut(world, state, agent, workspace.base);
	await putBack(world, agent, await treeNow(world, agent), 'rebuild');
	const {base, baseline, onto, conflicts} = workspace;
	await world.append([
		{
			...{kind: 'workspace.prepared', agent: agent.id, base, baseline, onto, conflicts},
			rebuilt: {
				snapshot: lastSnapshot(agent)?.number ?? null,
				aside: relative(world.folder.path, join(folder.path, aside)),
			},
		},
	]);
	await noteFinished(folder);
};

const moveAside = async (folder: AgentFolder): Promise<string> => {
	await mkdir(folder.path, {recursive: true});
	const aside = await mkdtemp(join(folder.path, 'replaced-'));
	await moveInto(folder, aside);
	return basename(aside);
};
