import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Body, BodyOf} from '../../events/event.ts';
import {copyIndex, keepIndex, offerEntries, withTemporaryIndex} from '../../git/index-entries.ts';
import type {Patience} from '../../git/process/patience.ts';
import {linkedFolder} from '../../git/store/linked-tree.ts';
import {createHub} from '../../git/store/pin-hub.ts';
import {unpinAll} from '../../git/store/pinned.ts';
import {type CommitParts, commitTree, pin, type Store} from '../../git/store/store.ts';
import {takeBackMove} from '../../git/target/interrupted/recover.ts';
import {changes} from '../../git/tree/changes.ts';
import {treeOfCommit} from '../../git/tree/commit.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {revertPaths} from '../../git/worktree/revert-paths.ts';
import {conversionsOf, filesWithCrlf} from '../../git/worktree/snapshot/raw-bytes.ts';
import {takeSnapshot} from '../../git/worktree/snapshot/snapshot.ts';
import {reachable} from '../../git/worktree/sparse.ts';
import {unlessThere} from '../../lib/files/reading.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isBreakage} from '../../state/items/conflict/breakage.ts';
import {buildsOn} from '../../state/rivals/rivals.ts';
import type {State} from '../../state/state.ts';
import {conflictCommit} from '../arbiter/conflict-commit.ts';
import {type AgentFolder, branchOf} from '../folder.ts';
import {startingCommit, unmerged} from '../merging/starting-commit.ts';
import {conflictOf, namePaths} from '../show/show-side.ts';
import type {UndoContext} from '../undo/undo-offer.ts';
import {discard, leftOutBy} from '../worktree/change-worktree.ts';
import {
	bringSubmodules,
	bringUncommitted,
	copyFromCheckout,
	copyNamed,
} from '../worktree/copy-from-checkout.ts';
import {requireSession, tellPreparing, type World} from '../world.ts';
import {setUp} from './set-up.ts';

/**
Creates an agent's worktree: its hub, the commit that it starts from, the copied files, and the effects of `setup`.

The files in the worktree then are the baseline: the agent's changes are the differences from it. Each try starts from an empty folder, since a second `setup` on top of the first may behave differently, and that would count as the agent's work.
*/
export const prepare = async (
	world: World,
	state: State,
	agent: Agent,
): Promise<readonly Body[]> => {
	const session = requireSession(state);
	const folder = world.folder.agent(agent.id);
	const conflict = agent.arbitrates && conflictOf(state, agent.arbitrates);
	const onto = unmerged(state, buildsOn(state, agent));
	const start = conflict
		? await conflictCommit(world, state, conflict)
		: await startingCommit(world, state, onto, session.start ?? session.base);
	const ref = `refs/delegate/${world.session}/${agent.id}/baseline`;
	await unpinAll(world.store, ref);
	const isAsCommitted = await layOut(world, state, agent, start, async () => {
		if (agent.subtask.uncommitted) {
			await bringUncommitted(session, {tree: folder.tree, commit: start});
		}
	});
	const commit = {
		parents: [start],
		message: `${agent.id} baseline`,
		at: session.startedAt,
	} as const;
	const {tree} = isAsCommitted
		? await pinTreeOf(world.store, start, {...commit, ref})
		: await takeSnapshot(world.store, {
				...{...commit, ref, tree: folder.tree, index: folder.index},
				leftOut: leftOutBy(agent, start),
			});
	return [
		{
			kind: 'workspace.prepared',
			agent: agent.id,
			base: start,
			baseline: tree,
			onto,
			conflicts: conflict && !isBreakage(conflict) ? [conflict.path] : [],
		},
	];
};

/** Takes the snapshot of a worktree that holds exactly what git checked out: of 100,000 files, none is looked at. */
const pinTreeOf = async (
	store: Store,
	start: string,
	{ref, ...commit}: Omit<CommitParts, 'tree'> & {readonly ref: string},
): Promise<{readonly tree: string}> => {
	const tree = await treeOfCommit(store, start);
	await pin(store, {ref, oid: await commitTree(store, {...commit, tree})});
	return {tree};
};

/**
Creates the worktree from a commit, and applies the plan's `copy` and `setup`.

Removes the remains of an earlier try first.

@returns true if only git's checkout wrote there, so that the worktree is known to equal the commit.
*/
export const layOut = async (
	world: World,
	state: State,
	agent: Agent,
	start: string,
	beforeSetup: () => Promise<void> = async () => {},
	mayCopy = true,
): Promise<boolean> => {
	const session = requireSession(state);
	const folder = world.folder.agent(agent.id);
	await discard(folder);
	// The search takes as long as a part of the checkout, so both run at once.
	const conversions = conversionsOf(world.store, session.base);
	conversions.catch(() => {});
	await createHub({
		folder: folder.path,
		repository: world.repository,
		base: session.base,
		branch: branchOf(agent.id),
		checkout: agent.subtask.checkout,
		onCheckout: (done, total) => {
			const [there, all] = [done, total].map(count => count.toLocaleString('en'));
			tellPreparing(world, agent, done === total ? '' : `checking out ${there} of ${all} files`);
		},
	});
	const isKept = await keepCheckedOut(world, folder, {base: session.base, conversions});
	const apart = await changes(world.store, start, session.base);
	const differences = await reachable(folder.tree, agent.subtask.checkout, apart);
	if (differences.length > 0) {
		const patchFile = join(folder.path, 'start.patch');
		await revertPaths(world.store, {tree: folder.tree, changes: differences, patchFile});
	}

	await bringSubmodules(world, session, {tree: folder.tree, commit: start});
	await copyFromCheckout(world, session, folder.tree);
	const copied = await copyNamed(session, folder.tree, agent.subtask);
	// Agents append findings to a file in this folder and don't create it, and git doesn't store empty folders.
	await mkdir(join(folder.tree, '.delegate')).catch(unlessThere);
	await beforeSetup();
	if (!(await setUp(world, session, agent, {start, mayCopy}))) {
		return layOut(world, state, agent, start, beforeSetup, false);
	}

	const {copy, setup} = session.plan;
	const others = [...apart, ...copied, ...copy, ...setup];
	return isKept && others.length === 0 && agent.subtask.uncommitted === undefined;
};

/**
Keeps the index of the checkout, which knows each file by its size and times: without it, the first snapshot would read them all. It still reads those that git converts, since their committed form may differ.

@returns true if the worktree holds the commit as it is
*/
const keepCheckedOut = async (
	{store}: World,
	{hub, index, tree}: AgentFolder,
	{base, conversions}: Readonly<{base: string; conversions: ReturnType<typeof conversionsOf>}>,
): Promise<boolean> => {
	const found = await conversions;
	if (found === undefined) {
		return false;
	}

	const checkedOut = join(linkedFolder(hub), 'index');
	const location = {...store, workTree: tree, index: checkedOut};
	const withCrlf = found.writesCrlf ? await filesWithCrlf(location) : [];
	const converted = [...new Set([...found.paths, ...withCrlf])];
	await withTemporaryIndex(store, async temporary => {
		await copyIndex(checkedOut, temporary);
		if (converted.length > 0) {
			// An entry that is put into an index has no size and times, so git reads its file.
			const entries = await entriesAt(store, base, converted);
			await offerEntries({...store, index: temporary}, [...entries]);
		}

		await keepIndex(temporary, index, {converted});
	});
	const config = await readFile(join(hub, 'config'), 'utf8');
	return converted.length === 0 && !weakFileSystem.test(config);
};

/** What `git init` notes of a file system that can't hold each tree: two names that differ in their case are one file there. */
const weakFileSystem = /(?:ignorecase|precomposeunicode) = true|(?:symlinks|filemode) = false/;

/** Reverts the remains of interrupted moves of the target in the person's checkout, or returns why that failed. */
export const clearUp = async (
	{repository, store}: Pick<UndoContext, 'repository' | 'store'>,
	patience: Patience,
): Promise<BodyOf<'machine.interrupted'>> => {
	const obstacle = await takeBackMove(repository, {store, patience});
	if (obstacle === undefined) {
		return {kind: 'machine.interrupted', left: null};
	}

	const {message, hint, paths = []} = obstacle;
	return {
		kind: 'machine.interrupted',
		left: {message: namePaths(message, paths), hint},
	};
};
