import {join} from 'node:path';
import {type Cleaned, clean} from '../../../src/cli/doctor/leftovers/clean.ts';
import type {Leftover, LeftoverContext} from '../../../src/cli/doctor/leftovers/leftover.ts';
import {findLeftovers} from '../../../src/cli/doctor/leftovers/leftovers.ts';
import {readSessions} from '../../../src/cli/doctor/sessions/read-sessions.ts';
import type {Body} from '../../../src/events/event.ts';
import {openRepository, type Repository} from '../../../src/git/repository/repository.ts';
import {createHub} from '../../../src/git/store/pin-hub.ts';
import {openStore, refsBelow, type Store} from '../../../src/git/store/store.ts';
import {takeSnapshot} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {openJournal} from '../../../src/journal/writer.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {planOf, sessionStarted, subtask} from '../../helpers/plan.ts';
import {type Files, git, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

/** When every session here ended. */
export const endedAt = '2026-11-21T20:00:00.000Z';

const agent = 'AGT-001';

/** A repository with the store of its sessions, and what the doctor finds in them. */
export const makeAttic = async (files: Files) => {
	const repository = await openRepository(makeRepository(files));
	const folder = repositoryFolder(temporaryFolder(), repository.id);
	const store = await openStore(folder.store, repository);
	const at = async (days: number): Promise<LeftoverContext> => ({
		here: {repository, folder},
		store,
		sessions: await readSessions(folder),
		now: new Date(Date.parse(endedAt) + days * 86_400_000),
	});
	return {
		repository,
		store,
		folder,
		/** A session of one agent that has a worktree, and no snapshot of its own yet. */
		begin: (id: string) => begin({repository, store, home: folder.session(id), id}),
		/** What is left over so many days after the ends. */
		find: async (days = 0): Promise<readonly Leftover[]> => findLeftovers(await at(days)),
		/** Removes all of it that is safe to remove. */
		clean: async (days = 0): Promise<readonly Cleaned[]> => {
			const there = await at(days);
			return clean(there, await findLeftovers(there));
		},
	};
};

type Parts = {
	readonly repository: Repository;
	readonly store: Store;
	readonly home: ReturnType<ReturnType<typeof repositoryFolder>['session']>;
	readonly id: string;
};

const begin = async ({repository, store, home, id}: Parts) => {
	const base = git(repository.root, 'rev-parse', 'HEAD');
	const {path, tree, hub, index} = home.agent(agent);
	await createHub({folder: path, repository, base, branch: `agent/${agent}`});
	const prefix = `refs/delegate/${id}/${agent}`;
	const snapshot = (name: number | 'baseline') =>
		takeSnapshot(store, {
			tree,
			index,
			parents: [base],
			ref: `${prefix}/${name}`,
			message: 'snapshot',
			at: endedAt,
		});
	const {tree: baseline} = await snapshot('baseline');
	const plan = planOf([subtask(agent)]);
	await write(home.journal, id, [
		sessionStarted(plan, {session: id, base}),
		{kind: 'workspace.prepared', agent, base, baseline, onto: [], conflicts: []},
	]);
	return {
		path,
		tree,
		hub,
		git: (...args: readonly string[]) => git(tree, ...args),
		/** Pins the worktree under a number. */
		snapshot,
		/** Writes an event. */
		tell: (body: Body) => write(home.journal, id, [body]),
		/** Pins the worktree once more, and ends the session. */
		end: async () => {
			await snapshot(1);
			await write(home.journal, id, [{kind: 'session.ended', status: 'COMPLETE', why: 'done'}]);
		},
		/** What of the agent's own git is pinned. */
		own: async () => [...(await refsBelow(store, `${prefix}/own`)).values()],
		refs: async () => [...(await refsBelow(store, `refs/delegate/${id}`)).keys()],
	};
};

const write = async (folder: string, session: string, bodies: readonly Body[]): Promise<void> => {
	const journal = await openJournal({folder, session});
	await journal.append(bodies.map(body => ({at: endedAt, ...body})));
	await journal.close();
};

/** Returns whether an object can be read in a store. */
export const holds = (store: Store, oid: string): boolean => {
	try {
		git(store.gitDir, 'cat-file', '-e', oid);
		return true;
	} catch {
		return false;
	}
};

/** Returns a path in a git folder. */
export const objectFile = (gitDir: string, oid: string): string =>
	join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
