import {lstat, readdir, rmdir} from 'node:fs/promises';
import {join} from 'node:path';
import {pinnedBases, unpinBase} from '../../../git/repository/base-ref.ts';
import {copyBorrowed} from '../../../git/store/copy-borrowed.ts';
import {foreignToHub, pinHub} from '../../../git/store/pin-hub.ts';
import {isPinned, pinnedBytes, unpinAll} from '../../../git/store/pinned.ts';
import {refsBelow, type Store} from '../../../git/store/store.ts';
import {worktreePath} from '../../../git/store/worktree-path.ts';
import {changes} from '../../../git/tree/changes.ts';
import {wholeWorktree} from '../../../git/worktree/snapshot/snapshot.ts';
import type {StagedTree} from '../../../git/worktree/snapshot/stage-tree.ts';
import {findUnseenWork, type UnseenWork} from '../../../git/worktree/snapshot/unseen-work.ts';
import {asFailure, Failure} from '../../../lib/failure.ts';
import {removeFolder} from '../../../lib/files/folders.ts';
import {diskUsage, ifThere} from '../../../lib/files/reading.ts';
import {elapsedMs} from '../../../lib/text/duration.ts';
import {bytesText} from '../../../lib/text/sanitize.ts';
import {counted, enumerated, firstOf} from '../../../lib/text/words.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {standingWith} from '../../../state/merge/publication.ts';
import {stateFolder} from '../../../supervisor/folder.ts';
import {openSlots} from '../../../supervisor/machine/slots.ts';
import {leftOutBy} from '../../../supervisor/worktree/change-worktree.ts';
import {leftoverCompose} from './compose.ts';
import {type EndedSession, endedSessions, type Leftover, type LeftoverContext} from './leftover.ts';

/** Returns all leftovers, in the order in which they can be removed: a worktree before the snapshots that back it up. */
export const findLeftovers = async (context: LeftoverContext): Promise<readonly Leftover[]> => {
	const worktrees = await leftoverWorktrees(context);
	const others = [
		leftoverChecks(context),
		leftoverCompose(context),
		oldSnapshots(context, worktrees),
	];
	return [worktrees, ...(await Promise.all(others))].flat();
};

/** Returns the worktrees of ended sessions' checks; the checked work is a commit, and the logs are kept. */
const leftoverChecks = async (context: LeftoverContext): Promise<readonly Leftover[]> => {
	const found = endedSessions(context).map(async session => {
		const {checks} = session.folder;
		const entries = await readdir(checks, {withFileTypes: true}).catch(() => []);
		const folders = entries.filter(entry => entry.isDirectory());
		return Promise.all(folders.map(({name}) => checkIn(session, join(checks, name))));
	});
	return (await Promise.all(found)).flat();
};

const checkIn = async ({id, endedAt}: EndedSession, path: string): Promise<Leftover> => ({
	kind: 'check',
	text: `worktree of a check in ${id} (${path})`,
	session: {id, endedAt},
	bytes: await diskUsage(path),
	verdict: {kind: 'safe'},
	remove: () => removeFolder(path),
});

/** Returns a short description of a leftover: its kind, size, age, and whether it can be removed. */
export const leftoverText = (leftover: Leftover, now: Date): string => {
	const {text, bytes, session, verdict} = leftover;
	const size = bytes === 0 ? '' : `, ${bytesText(bytes)}`;
	const age =
		session === undefined ? '' : `, ${ageText(elapsedMs(session.endedAt, now.toISOString()))}`;
	return `${text}${size}${age}: ${verdict.kind === 'kept' ? `kept, ${verdict.why}` : safeText(verdict)}`;
};

const safeText = ({first}: Extract<Leftover['verdict'], {kind: 'safe'}>): string =>
	first === undefined ? 'safe to remove' : `safe to remove; ${first}`;

const ageText = (elapsed: number): string => {
	const days = Math.floor(elapsed / dayMs);
	if (days < 1) {
		return 'ended today';
	}

	return days === 1 ? 'ended yesterday' : `ended ${days} days ago`;
};

const dayMs = 86_400_000;

/** Returns the amounts that can be removed and that are kept. */
export const sumText = (leftovers: readonly Leftover[]): string => {
	const [safe, kept] = (['safe', 'kept'] as const).map(kind =>
		amountText(leftovers.filter(({verdict}) => verdict.kind === kind)),
	);
	return `${safe} safe to remove, ${kept} kept`;
};

/** Returns the number of leftovers and their size on the disk. */
export const amountText = (leftovers: readonly Leftover[]): string => {
	const bytes = leftovers.reduce((sum, leftover) => sum + leftover.bytes, 0);
	return bytes === 0 ? `${leftovers.length}` : `${leftovers.length} (${bytesText(bytes)})`;
};

/** Number of days for which snapshots are kept after the end of their session. */
const snapshotDays = 30;

/** Returns the snapshots of sessions that ended long ago; they are kept as long as a worktree exists. */
const oldSnapshots = async (
	context: LeftoverContext,
	worktrees: readonly Leftover[],
): Promise<readonly Leftover[]> => {
	const found = await Promise.all(
		endedSessions(context).map(session => snapshotsOf(context, session, worktrees)),
	);
	return found.filter(leftover => leftover !== undefined);
};

const snapshotsOf = async (
	{here, store, now}: LeftoverContext,
	session: EndedSession,
	worktrees: readonly Leftover[],
): Promise<Leftover | undefined> => {
	const {id, endedAt} = session;
	const prefix = `refs/delegate/${id}`;
	const refs = [...(await refsBelow(store, prefix)).keys()];
	if (elapsedMs(endedAt, now.toISOString()) < snapshotDays * dayMs || refs.length === 0) {
		return undefined;
	}

	const needed = worktrees.some(one => one.session?.id === id && one.verdict.kind === 'kept');
	return {
		kind: 'snapshots',
		text: `${countText(refs)} of ${id}${unmergedText(session)}`,
		session: {id, endedAt},
		bytes: await pinnedBytes(store, prefix),
		verdict: needed ? {kind: 'kept', why: 'a worktree of it is kept'} : {kind: 'safe'},
		remove: async () => {
			const tree = await worktreeThere(session);
			if (tree !== undefined) {
				throw new Failure('refused', `The snapshots of ${id} are kept: ${tree} is there.`);
			}

			await unpinAll(store, prefix);
			// Snapshots and worktrees borrow objects from the base; after the last of them its pin is useless.
			await unpinBase(here.repository, id);
		},
	};
};

/** Returns whether an agent's work is merged; an undone merge doesn't count. */
const isMerged = ({state}: EndedSession, {id}: Agent): boolean =>
	standingWith(state, id) !== undefined;

/** Names the agents with unmerged work, so that it is not removed silently. */
const unmergedText = (session: EndedSession): string => {
	const {agents} = session.state;
	const unmerged = agents.filter(agent => !isMerged(session, agent)).map(({id}) => id);
	return unmerged.length === 0 ? '' : `, with the unmerged work of ${enumerated(unmerged)}`;
};

/** Returns the number of snapshots; other refs are for the baseline, for results and for refs of the agent's own git. */
const countText = (refs: readonly string[]): string =>
	counted(refs.filter(ref => /\/\d+$/.test(ref)).length, 'snapshot');

/** Returns the worktrees of ended sessions; one with anything that is not pinned is kept. */
const leftoverWorktrees = async (context: LeftoverContext): Promise<readonly Leftover[]> => {
	const homes = (await Promise.all(endedSessions(context).map(worktreeHomes))).flat();
	const found = await Promise.all(homes.map(home => worktreeIn(context, home)));
	return found.filter(leftover => leftover !== undefined);
};

const worktreeIn = async (
	context: LeftoverContext,
	home: WorktreeHome,
): Promise<Leftover | undefined> => {
	const {session, agent, path} = home;
	const tree = worktreePath(path);
	const beside = ['hub.git', 'index', 'making', 'discarded'].map(name => join(path, name));
	const parts = [tree, ...beside];
	const sizes = await Promise.all(parts.map(diskUsage));
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	if (bytes === 0) {
		return undefined;
	}

	const why = await whyWorktreeKept(context, home);
	return {
		kind: 'worktree',
		text: `worktree of ${agent.id} in ${session.id} (${tree})${isMerged(session, agent) ? '' : ', not merged'}`,
		session: {id: session.id, endedAt: session.endedAt},
		bytes,
		verdict:
			why === undefined
				? {kind: 'safe', first: 'its own commits are pinned first'}
				: {kind: 'kept', why},
		remove: async () => {
			const reason = await whyWorktreeKept(context, home);
			if (reason !== undefined) {
				throw new Failure('refused', `${tree} was not removed: ${reason}.`);
			}

			const prefix = `refs/delegate/${session.id}/${agent.id}/own`;
			await pinHub(context.store, join(path, 'hub.git'), prefix);
			// Git does not fetch objects that it can borrow.
			await copyBorrowed(context.store, {
				of: [...(await refsBelow(context.store, prefix)).values()],
				beyond: await pinnedBases(context.here.repository, session.id),
			});
			for (const part of parts) {
				await removeFolder(part);
			}

			// A session that was set aside never released its slot.
			await openSlots(stateFolder(process.env)).giveUp(path);

			// A replaced worktree leaves its folder empty; an agent's folder contains its transcripts.
			await rmdir(path).catch(() => {});
		},
	};
};

/** Returns the reason why a worktree and its hub can't be removed: content that is not pinned and can't be. */
const whyWorktreeKept = async (
	context: Pick<LeftoverContext, 'store' | 'here'>,
	home: WorktreeHome,
): Promise<string | undefined> => {
	try {
		return (await whyTreeKept(context, home)) ?? (await whyHubKept(home));
	} catch (error) {
		return `it can’t be compared with its snapshots: ${asFailure(error).message}`;
	}
};

/** Returns the reason for the worktree; files that git ignored from the start don't count: no snapshot contains them, and the plan's `setup` recreates them. */
const whyTreeKept = async (
	context: Pick<LeftoverContext, 'store' | 'here'>,
	home: WorktreeHome,
): Promise<string | undefined> => {
	const tree = worktreePath(home.path);
	const entry = await lstat(tree).catch(() => undefined);
	if (entry === undefined) {
		return undefined;
	}

	if (!entry.isDirectory()) {
		return 'something else is in its place';
	}

	const {store} = context;
	const {seed, rules} = beginningOf(home);
	const now = await wholeWorktree(store, {tree, seed, leftOut: leftOutBy(home.agent)});
	const [left] = now.skipped;
	if (left !== undefined) {
		return `it holds ${left.path}, which no snapshot can hold`;
	}

	const {session, agent} = home;
	const refs = `refs/delegate/${session.id}/${agent.id}`;
	if (!((await isPinned(store, refs, now)) || (await isReverted(store, refs, home, now)))) {
		return 'it holds work that is in no snapshot';
	}

	// The person's repository may lose objects that the snapshot only borrowed, so they are copied; missing ones were written again by the look.
	await copyBorrowed(store, {
		of: [now.tree, ...(now.raw === undefined ? [] : [now.raw])],
		beyond: await pinnedBases(context.here.repository, session.id),
	});
	return whyUnseen(await findUnseenWork(store, {tree, now: now.tree, rules}));
};

/** Returns whether each path is as in the last snapshot or as before the agent began: changes outside the scope are reverted after the snapshot, and that tree is not pinned. */
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

/** Returns the starting point of a worktree; for one that was never ready, the session's base. */
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
		: `${firstOf(hidden, 1)} is in no snapshot: an ignore rule added during the session hides it`;
};

const whyHubKept = async ({path}: WorktreeHome): Promise<string | undefined> => {
	const [foreign] = await foreignToHub(join(path, 'hub.git'));
	return foreign === undefined
		? undefined
		: `its git folder holds ${foreign}, which no snapshot can hold`;
};

/** Folder of a worktree, its hub and its index. */
type WorktreeHome = {
	readonly session: EndedSession;
	readonly agent: Agent;
	readonly path: string;
};

/** Returns the present and former folders of a session's worktrees: after a recreation, the old one is beside the new one. */
const worktreeHomes = async (session: EndedSession): Promise<readonly WorktreeHome[]> => {
	const found = session.state.agents.map(async agent => {
		const {path} = session.folder.agent(agent.id);
		const aside = (await namesIn(path)).filter(name => name.startsWith('replaced-'));
		return [path, ...aside.map(name => join(path, name))].map(one => ({session, agent, path: one}));
	});
	return (await Promise.all(found)).flat();
};

/** Returns the path of an existing worktree of a session, or of a hub without one. */
const worktreeThere = async (session: EndedSession): Promise<string | undefined> => {
	for (const {path} of await worktreeHomes(session)) {
		for (const part of [worktreePath(path), join(path, 'hub.git')]) {
			if ((await ifThere(lstat(part))) !== undefined) {
				return part;
			}
		}
	}

	return undefined;
};

const namesIn = async (folder: string): Promise<readonly string[]> =>
	readdir(folder).catch(() => []);
