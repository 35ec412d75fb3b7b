import {lstat, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {pinHub, pinnedTrees} from '../../git/pinned.ts';
import type {Store} from '../../git/store.ts';
import {wholeWorktree} from '../../git/worktree-tree.ts';
import {diskUsage} from '../../lib/disk-usage.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/is-there.ts';
import type {Agent} from '../../state/agent.ts';
import {type Attic, endedSessions, type Leftover, type ReadSession} from './leftover.ts';

/** Returns the worktrees of sessions that have ended; one that holds anything that is in no snapshot is kept. */
export const leftoverWorktrees = async (attic: Attic): Promise<readonly Leftover[]> => {
	const found = await Promise.all(
		endedSessions(attic).flatMap(session =>
			session.state.agents.map(agent => worktreeOf(attic.store, session, agent)),
		),
	);
	return found.filter(leftover => leftover !== undefined);
};

const worktreeOf = async (
	store: Store,
	session: ReadSession,
	agent: Agent,
): Promise<Leftover | undefined> => {
	const {path, tree, hub} = session.folder.agent(agent.id);
	const parts = [tree, hub, join(path, 'making')];
	const sizes = await Promise.all(parts.map(diskUsage));
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	if (bytes === 0) {
		return undefined;
	}

	const why = await whyKept(store, session, agent);
	return {
		kind: 'worktree',
		text: `worktree of ${agent.id} in ${session.id} (${tree})`,
		bytes,
		verdict: why === undefined ? {kind: 'safe'} : {kind: 'kept', why},
		remove: async () => {
			const reason = await whyKept(store, session, agent);
			if (reason !== undefined) {
				throw new Failure('refused', `${tree} was not removed: ${reason}.`);
			}

			if (await isThere(hub)) {
				await pinHub(store, hub, `${prefixOf(session, agent)}/hub`);
			}

			for (const part of parts) {
				await rm(part, {recursive: true, force: true});
			}
		},
	};
};

const prefixOf = (session: ReadSession, agent: Agent): string =>
	`refs/delegate/${session.id}/${agent.id}`;

/** What git ignores is not counted: no snapshot holds it, and the plan's `setup` makes it anew. */
const whyKept = async (
	store: Store,
	session: ReadSession,
	agent: Agent,
): Promise<string | undefined> => {
	const {tree, index} = session.folder.agent(agent.id);
	const entry = await lstat(tree).catch(() => undefined);
	if (entry === undefined) {
		return undefined;
	}

	if (!entry.isDirectory()) {
		return 'something else stands in its place';
	}

	try {
		const now = await wholeWorktree(store, {tree, index, seed: seedOf(session, agent)});
		const pinned = await pinnedTrees(store, prefixOf(session, agent));
		const [left] = now.left;
		if (left !== undefined) {
			return `it holds ${left.path}, which no snapshot can hold`;
		}

		return pinned.has(now.tree) ? undefined : 'it holds work that is in no snapshot';
	} catch (error) {
		return `it can't be compared with its snapshots: ${asFailure(error).message}`;
	}
};

const seedOf = ({state}: ReadSession, {snapshots, workspace}: Agent): string =>
	snapshots.at(-1)?.commit ??
	(workspace.phase === 'ready' ? workspace.base : (state.session?.base ?? ''));
