import {join} from 'node:path';
import type {HiddenWork} from '../../events/model-trouble.ts';
import {pathsIn} from '../../git/index-entries.ts';
import {changes} from '../../git/tree/changes.ts';
import {entryOnDisk, isFileAt} from '../../git/tree/disk-path.ts';
import {graft} from '../../git/tree/graft.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {findHidden} from '../../git/worktree/snapshot/unseen-work.ts';
import {Failure} from '../../lib/failure.ts';
import {ifThere, openRegularFile} from '../../lib/files/reading.ts';
import {type Agent, lastSnapshot, type Snapshot} from '../../state/agent/agent.ts';
import {allows} from '../../state/agent/scope.ts';
import type {Works, World} from '../world.ts';

const mostListed = 20;

/** Maximum size of an index that is read, in bytes. */
const largestIndex = 64 * 2 ** 20;

export type HiddenParts = {
	/** Tree of the snapshot, without the hidden files. */
	readonly now: string;
	/** Tree with the person's ignore rules. */
	readonly rules: string;
};

/** Returns files in an agent's scope that it hid from its work, by its own ignore rules or by adding ignored files with force. */
export const hiddenIn = async (
	world: World,
	agent: Agent,
	{now, rules}: HiddenParts,
): Promise<readonly HiddenWork[]> => {
	const {tree} = world.folder.agent(agent.id);
	const inScope = (path: string) => allows(agent.subtask.scope, path);
	const byRule = (await findHidden(world.store, {tree, now, rules})).filter(inScope);
	const byForce = (await forced(world, agent, now)).filter(inScope);
	const ruled = new Set(byRule);
	return [
		...hidden('rule', await withoutEarlier(tree, byRule, agent.startedAt)),
		...hidden(
			'force',
			byForce.filter(path => !ruled.has(path)),
		),
	];
};

/** Drops files from before the agent's start: a folder that `setup` made may ignore itself, such as a Python virtual environment. */
const withoutEarlier = async (
	tree: string,
	paths: readonly string[],
	begun = '',
): Promise<readonly string[]> => {
	const own: string[] = [];
	for (const path of paths) {
		// Compares ctime: an agent can set mtime.
		const changed = (await entryOnDisk(tree, path))?.ctime;
		if (changed !== undefined && changed.toISOString() >= begun) {
			own.push(path);
		}
	}

	return own;
};

const hidden = (by: HiddenWork['by'], paths: readonly string[]): readonly HiddenWork[] =>
	paths.length === 0 ? [] : [{by, paths: paths.slice(0, mostListed), count: paths.length}];

/** Returns files that the agent added by force: its git tracks them, they are on disk, and no snapshot contains them since they are ignored. */
const forced = async (world: World, agent: Agent, now: string): Promise<readonly string[]> => {
	const {hub, tree} = world.folder.agent(agent.id);
	const known = pathsIn(await indexOf(hub), now.length / 2);
	const held = await entriesOf(world.store, now);
	const found: string[] = [];
	for (const path of known) {
		if (!held.has(path) && (await isFileAt(tree, path))) {
			found.push(path);
		}
	}

	return found;
};

/** Reads the agent's index; a replaced one counts as empty. */
const indexOf = async (hub: string): Promise<Buffer> => {
	try {
		await using file = await ifThere(openRegularFile(join(hub, 'worktrees/tree/index')));
		return file === undefined || (await file.stat()).size > largestIndex
			? Buffer.alloc(0)
			: await file.readFile();
	} catch (error) {
		if (error instanceof Failure) {
			return Buffer.alloc(0);
		}

		throw error;
	}
};

/** Returns the tree of an agent's worktree between turns, according to the journal. */
export const heldTree = async (works: Works, agent: Agent): Promise<string> => {
	const {workspace} = agent;
	if (workspace.phase === 'wanted') {
		throw new Failure('internal', `${agent.id} has no worktree yet.`);
	}

	const last = lastSnapshot(agent);
	return workspace.tree ?? (last === undefined ? workspace.baseline : treeAfter(works, last));
};

/** Returns the tree of a worktree after a snapshot: changes outside the scope were reverted, as far as possible. */
export const treeAfter = async (
	{store}: Works,
	{tree, outside, stuck = [], startingPoint}: Snapshot,
): Promise<string> => {
	const isStuck = new Set(stuck);
	const gone = new Set(outside.filter(path => !isStuck.has(path)));
	if (gone.size === 0) {
		return tree;
	}

	const back = await changes(store, tree, startingPoint.baseline);
	return graft(store, {onto: tree, changes: back.filter(({path}) => gone.has(path))});
};
