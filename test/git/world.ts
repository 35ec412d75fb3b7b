import {join} from 'node:path';
import {openRepository} from '../../src/git/repository/repository.ts';
import {createHub} from '../../src/git/store/pin-hub.ts';
import {commitTree, openStore} from '../../src/git/store/store.ts';
import {changes} from '../../src/git/tree/changes.ts';
import {type SnapshotParts, takeSnapshot} from '../../src/git/worktree/snapshot/snapshot.ts';
import {type Files, git, makeRepository, temporaryFolder} from '../helpers/repository.ts';

/** A person's repository and the store beside it, for what no agent is needed. */
export const makeStore = (files?: Files) => storeOf(makeRepository(files));

const storeOf = async (root: string) => {
	const state = temporaryFolder();
	const repository = await openRepository(root);
	const base = git(root, 'rev-parse', 'HEAD');
	const store = await openStore(join(state, 'store.git'), repository);
	return {root, state, repository, base, store};
};

/** The same with one agent at work. */
export const makeWorld = async (files?: Files) => worldOf(makeRepository(files));

/** That around a repository that is there already. */
export const worldOf = async (root: string) => {
	const {state, repository, base, store} = await storeOf(root);
	const folder = join(state, 'AGT-001');
	const hub = await createHub({folder, repository, base, branch: 'agent/AGT-001'});
	let count = 0;
	const snapshot = (parts: Partial<SnapshotParts> = {}) => {
		count += 1;
		return takeSnapshot(store, {
			tree: hub.tree,
			index: join(folder, 'index'),
			parents: [base],
			ref: `refs/delegate/s/AGT-001/${count}`,
			message: 'snapshot',
			at: '2026-11-21T20:00:00Z',
			...parts,
		});
	};

	/** Takes a snapshot, and says what it changes since the base, also as `<status> <path>`. */
	const changed = async () => {
		const taken = await snapshot();
		const found = await changes(store, base, taken.commit);
		return {...taken, found, shown: found.map(({status, path}) => `${status} ${path}`)};
	};

	/** What puts all of that back. */
	const toRevert = async () => ({
		tree: hub.tree,
		changes: (await changed()).found,
		patchFile: join(folder, 'reverted.patch'),
	});

	/** Commits what the worktree holds onto the base, as a merge does. */
	const commitWork = async () =>
		commitTree(store, {
			tree: (await snapshot()).tree,
			parents: [base],
			message: 'Work of AGT-001',
			at: '2026-11-21T20:00:00Z',
		});

	return {
		...{root, state, repository, base, store, folder, hub, tree: hub.tree},
		...{snapshot, changed, toRevert, commitWork},
	};
};
