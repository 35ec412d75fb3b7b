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
Sees to it that an agent's worktree holds what the journal tells, before anybody works in it again.

One that was deleted, or in whose place something else stands, is recreated, and that is told: it gets the files it held, after `copy` and `setup` as at the first start. What is left of the old one is moved aside, never removed. A worktree whose change was cut off is reverted.
*/
export const rebuildIfGone = (world: World, state: State, agent: Agent): Promise<void> =>
	world.serially(agent.id, () => rebuildNow(world, state, agent));

/** Does that when nothing else of the agent's is under way. */
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

/** A link in its place would lead to somebody else's files. */
const holdsTree = async ({path, tree}: AgentFolder): Promise<boolean> => {
	const entry = await entryOnDisk(path, basename(tree));
	return entry?.isDirectory() ?? false;
};

/** Recreates a worktree; after an interrupted try, the old one is aside already, and the rest is ours. */
const rebuild = async (
	world: World,
	state: State,
	agent: Agent & {readonly workspace: Extract<Workspace, {phase: 'ready'}>},
	begun: string | undefined,
): Promise<void> => {
	const {workspace} = agent;
	// A process that was kept for its next turn stands in a folder that is no more.
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
