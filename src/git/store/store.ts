import {randomUUID} from 'node:crypto';
import {mkdir, rename} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {removeFolder, temporaryFolder} from '../../lib/files/folders.ts';
import {isThere} from '../../lib/files/reading.ts';
import {recalled} from '../process/recall.ts';
import {expectCode, type GitResult, lineOf, linesOf} from '../process/result.ts';
import {
	type GitLocation,
	identityVariables,
	sealed,
	supervisorIdentity,
} from '../process/sealed.ts';
import {moveOwnRef} from '../repository/base-ref.ts';
import {gitLocationOf, type Identity, type Repository} from '../repository/repository.ts';
import {borrowedFrom, createBare, refreshBare} from './borrowed.ts';
import {createLinkedTree, type LinkedTree} from './linked-tree.ts';

/** The supervisor's own bare repository for snapshots and merges, out of any agent's reach. */
export type Store = Pick<GitLocation, 'gitDir' | 'confine'>;

/** Opens the store at a path, or creates it. It borrows the person's objects and writes its own. */
export const openStore = async (gitDir: string, repository: Repository): Promise<Store> => {
	const borrowed = await borrowedFrom(repository);
	const config = new Map([...borrowed.config, ['uploadpack.allowAnySHA1InWant', 'true']]);
	if (await isThere(gitDir)) {
		await refreshBare(gitDir, {...borrowed, config});
	} else {
		await mkdir(dirname(gitDir), {recursive: true});
		await createBare(gitDir, {...borrowed, config});
	}

	return {gitDir};
};

/**
Makes a ref of the store that points at an object.

@throws `Failure` of kind `refused` when it points at another one already, and with git's own words when it can't be written.
*/
export const pin = async (
	store: Store,
	{ref, oid}: {readonly ref: string; readonly oid: string},
): Promise<void> => {
	const expected = '0'.repeat(oid.length);
	const result = await moveOwnRef({gitDir: store.gitDir, ref, oid, expected});
	if (result.code === 0) {
		return;
	}

	const current = await readRef(store, ref);
	if (current === undefined) {
		expectCode(['update-ref'], result);
	}

	if (current !== oid) {
		throw new Failure('refused', `${ref} stands at ${current}, not at ${oid}.`);
	}
};

/** Returns the object of a ref, or `undefined` when there is none. */
export const readRef = async (store: Store, ref: string): Promise<string | undefined> => {
	const result = await sealed(store, ['rev-parse', '--verify', '--quiet', ref], {expect: [0, 1]});
	return result.code === 0 ? lineOf(result) : undefined;
};

/** Returns the refs below a prefix such as `refs/delegate/<session>`, by name. */
export const refsBelow = async (
	store: Store,
	prefix: string,
): Promise<ReadonlyMap<string, string>> => {
	const format = '--format=%(refname) %(objectname)';
	const lines = linesOf(await sealed(store, ['for-each-ref', format, prefix]));
	return new Map(
		lines.map(line => {
			const [ref = '', oid = ''] = line.split(' ');
			return [ref, oid];
		}),
	);
};

export type CommitParts = {
	readonly tree: string;
	readonly parents: readonly string[];
	readonly message: string;
	/** ISO 8601; passed in, so that the same parts give the same commit. */
	readonly at: string;
	/** Author; the supervisor when absent. */
	readonly identity?: Identity;
};

/** Returns the arguments and variables of `git commit-tree`, which reads the message from stdin. */
export const commitCommand = (
	{tree, parents, at, identity = supervisorIdentity}: CommitParts,
	...options: readonly string[]
) => {
	const date = `@${Math.floor(Date.parse(at) / 1000)} +0000`;
	const own = parents.flatMap(parent => ['-p', parent]);
	return {
		args: ['commit-tree', ...options, tree, ...own, '-F', '-'],
		env: {...identityVariables(identity), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date},
	};
};

/** Writes a commit without a ref, and returns its id. */
export const commitTree = async (store: Store, parts: CommitParts): Promise<string> => {
	const {args, env} = commitCommand(parts);
	return lineOf(await recalled(store, args, {input: parts.message, env}));
};

/**
Lends a temporary store that reads all objects of another one.

A read may write trees, such as that of a merge; they go into the temporary store, since the other one may be in use.

@param more further object directories to read, without their configuration, index and commit graph
*/
export const withReadingStore = async <Result>(
	{gitDir}: Store,
	use: (store: Store) => Promise<Result>,
	more: readonly string[] = [],
): Promise<Result> => {
	await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-look-'));
	const store = {gitDir: join(folder.path, 'store.git')};
	await createBare(store.gitDir, {
		objects: [join(gitDir, 'objects'), ...more],
		objectFormat: lineOf(await sealed({gitDir}, ['rev-parse', '--show-object-format'])),
		shallowFile: join(gitDir, 'shallow'),
		config: plainReading,
		exclude: '',
	});
	return await use(store);
};

/** Commit graph and multi-pack index describe objects without reading them, and an agent may have written them. */
const plainReading = new Map([
	['core.commitgraph', 'false'],
	['core.multipackindex', 'false'],
]);

export type CheckoutParts = {
	readonly repository: Repository;
	readonly commit: string;
	/** Folder for this checkout only; the worktree is below it. */
	readonly folder: string;
};

/** Checks out a commit of the store, for the person's checks. The worktree has its own bare repository, so that a check may use git without reaching the store. A second call returns the first one's. */
export const checkoutTree = async (
	store: Store,
	{repository, commit, folder}: CheckoutParts,
): Promise<LinkedTree> => {
	const borrowed = await borrowedFrom(repository);
	const objects = [join(store.gitDir, 'objects'), ...borrowed.objects];
	return createLinkedTree({folder, borrowed: {...borrowed, objects}, commit});
};

/** Removes a checkout and all that commands have left in it. If that contains another user's files, as of a container that runs as root, moves it aside, since its place is needed again. */
export const removeCheckout = (folder: string): Promise<void> =>
	removeFolder(folder).catch(() => rename(folder, join(dirname(folder), `left-${randomUUID()}`)));

/** Fetches a commit from the store into the person's repository, without a ref. Git checks every object (`fsckObjects`), so no corrupt or malicious one arrives; after any exit code but 0 nothing has arrived. */
export const bringObjects = (
	repository: Repository,
	store: Store,
	commit: string,
): Promise<GitResult> =>
	sealed(gitLocationOf(repository), [...checkingFetch, store.gitDir, commit], {
		config: fetchConfig,
		expect: 'any',
	});

/** Options of a fetch that brings only objects. */
export const checkingFetch = [
	...['fetch', '--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head'],
	...['--no-auto-maintenance', '--no-write-commit-graph', '--no-recurse-submodules'],
] as const;

export const fetchConfig = {'fetch.fsckObjects': 'true', 'protocol.version': '2'};
