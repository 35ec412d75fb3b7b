import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import {pinnedBases} from '../../../git/repository/base-ref.ts';
import {copyBorrowed} from '../../../git/store/copy-borrowed.ts';
import {foreignToHub} from '../../../git/store/pin-hub.ts';
import {isPinned} from '../../../git/store/pinned.ts';
import type {Store} from '../../../git/store/store.ts';
import {changes} from '../../../git/tree/changes.ts';
import type {StagedTree} from '../../../git/worktree/snapshot/stage-tree.ts';
import {findUnseenWork, type UnseenWork} from '../../../git/worktree/snapshot/unseen-work.ts';
import {wholeWorktree} from '../../../git/worktree/snapshot/worktree-tree.ts';
import {asFailure} from '../../../lib/failure.ts';
import {firstOf} from '../../../lib/text/enumerated.ts';
import type {LeftoverContext} from './leftover.ts';
import type {WorktreeHome} from './worktree-homes.ts';

/** Returns why a worktree and its hub can't be removed, if they hold what is pinned nowhere and can't be pinned. */
export const whyWorktreeKept = async (
	context: Pick<LeftoverContext, 'store' | 'here'>,
	home: WorktreeHome,
): Promise<string | undefined> => {
	try {
		return (await whyTreeKept(context, home)) ?? (await whyHubKept(home));
	} catch (error) {
		return `it can’t be compared with its snapshots: ${asFailure(error).message}`;
	}
};

/** What git ignored from the start is not counted: no snapshot holds it, and the plan's `setup` recreates it. */
const whyTreeKept = async (
	context: Pick<LeftoverContext, 'store' | 'here'>,
	home: WorktreeHome,
): Promise<string | undefined> => {
	const tree = join(home.path, 'tree');
	const entry = await lstat(tree).catch(() => undefined);
	if (entry === undefined) {
		return undefined;
	}

	if (!entry.isDirectory()) {
		return 'something else is in its place';
	}

	const {store} = context;
	const {seed, rules} = beginningOf(home);
	const now = await wholeWorktree(store, {tree, seed});
	const [left] = now.skipped;
	if (left !== undefined) {
		return `it holds ${left.path}, which no snapshot can hold`;
	}

	const {session, agent} = home;
	const refs = `refs/delegate/${session.id}/${agent.id}`;
	if (!((await isPinned(store, refs, now)) || (await isReverted(store, refs, home, now)))) {
		return 'it holds work that is in no snapshot';
	}

	// What the snapshot only borrowed may go from the person's repository; what is gone already the look has written again.
	await copyBorrowed(store, {
		of: [now.tree, ...(now.raw === undefined ? [] : [now.raw])],
		beyond: await pinnedBases(context.here.repository, session.id),
	});
	return whyUnseen(await findUnseenWork(store, {tree, now: now.tree, rules}));
};

/** Whether each path is as in the last snapshot or as before the agent began: after a snapshot of what left the scope that is put back, and pinned no more. */
const isReverted = async (
	store: Store,
	refs: string,
	{agent: {snapshots, workspace}}: WorktreeHome,
	{tree, raw}: StagedTree,
): Promise<boolean> => {
	const last = snapshots.at(-1)?.tree;
	if (workspace.phase !== 'ready' || last === undefined || raw !== undefined) {
		return false;
	}

	const [sinceLast, sinceStart] = await Promise.all([
		changes(store, last, tree),
		changes(store, workspace.baseline, tree),
	]);
	const changed = new Set(sinceStart.map(({path}) => path));
	return sinceLast.every(({path}) => !changed.has(path)) && isPinned(store, refs, {tree: last});
};

/** Where work began whose worktree was never made ready, that was the session's base. */
const beginningOf = ({session, agent: {snapshots, workspace}}: WorktreeHome) => {
	const start = session.state.session?.base ?? '';
	const [base, rules] =
		workspace.phase === 'ready' ? [workspace.base, workspace.baseline] : [start, start];
	return {seed: snapshots.at(-1)?.commit ?? base, rules};
};

const whyUnseen = ({repositories, hidden}: UnseenWork): string | undefined => {
	const [repository] = repositories;
	if (repository !== undefined) {
		const path = repository === '' ? '.git' : `${repository}/.git`;
		return `it holds ${path}, a repository whose history is in no snapshot`;
	}

	return hidden.length === 0
		? undefined
		: `it holds ${firstOf(hidden, 1)}, kept out of snapshots only by an ignore rule made since its start`;
};

const whyHubKept = async ({path}: WorktreeHome): Promise<string | undefined> => {
	const [foreign] = await foreignToHub(join(path, 'hub.git'));
	return foreign === undefined
		? undefined
		: `its git folder holds ${foreign}, which no snapshot can hold`;
};
