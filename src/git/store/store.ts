import {mkdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {temporaryFolder} from '../../lib/files/folders.ts';
import {isThere} from '../../lib/files/reading.ts';
import {recalled} from '../process/recall.ts';
import {expectCode, type GitResult, lineOf, linesOf} from '../process/result.ts';
import {sealed, supervisorIdentity} from '../process/sealed.ts';
import {moveOwnRef} from '../repository/base-ref.ts';
import {gitLocationOf, type Identity, type Repository} from '../repository/repository.ts';
import {borrowedFrom, createBare, refreshBare} from './borrowed.ts';
import {createLinkedTree, type LinkedTree} from './linked-tree.ts';

/** The supervisor's own bare repository: snapshots and merges live here, out of any agent's reach. */
export type Store = {
	readonly gitDir: string;
};

/**
Opens the store at a path, creating it when it isn't there.

It borrows the person's objects and writes its own beside them, so nothing it does shows in the person's repository.
*/
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
Points a ref of the store at an object, which keeps it from being collected.

@param expected Where the ref must stand before; absent means that there must be no such ref.
@throws `Failure` of kind `refused` when it stands elsewhere, and with git's own words when it could not be written.
*/
export const pin = async (
	store: Store,
	{ref, oid, expected}: {readonly ref: string; readonly oid: string; readonly expected?: string},
): Promise<void> => {
	const old = expected ?? '0'.repeat(oid.length);
	const result = await moveOwnRef({gitDir: store.gitDir, ref, oid, expected: old});
	if (result.code === 0) {
		return;
	}

	const current = await readRef(store, ref);
	if (current === oid) {
		return;
	}

	if (current === expected) {
		expectCode(['update-ref'], result);
	}

	throw new Failure('refused', `${ref} stands at ${current ?? 'nothing'}, not at ${old}.`);
};

/** Returns what a ref of the store points at, or `undefined` when there is no such ref. */
export const readRef = async (store: Store, ref: string): Promise<string | undefined> => {
	const result = await sealed(store, ['rev-parse', '--verify', '--quiet', ref], {expect: [0, 1]});
	return result.code === 0 ? lineOf(result) : undefined;
};

/** Returns all refs below a prefix such as `refs/delegate/<session>`, by name. */
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
	/** Time of the commit, ISO 8601; it is passed in, so that the same parts give the same commit. */
	readonly at: string;
	/** Who it is by; the supervisor when absent. */
	readonly identity?: Identity;
};

/** Returns a time as git writes it into a commit. */
export const gitTime = (at: string): string => `${Math.floor(Date.parse(at) / 1000)} +0000`;

/** Writes a commit and returns its id; no ref points at it yet. */
export const commitTree = async (store: Store, parts: CommitParts): Promise<string> => {
	const {tree, parents, message, at, identity = supervisorIdentity} = parts;
	const date = `@${gitTime(at)}`;
	const args = ['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-F', '-'];
	const result = await recalled(store, args, {
		input: message,
		env: {
			GIT_AUTHOR_NAME: identity.name,
			GIT_AUTHOR_EMAIL: identity.email,
			GIT_AUTHOR_DATE: date,
			GIT_COMMITTER_NAME: identity.name,
			GIT_COMMITTER_EMAIL: identity.email,
			GIT_COMMITTER_DATE: date,
		},
	});
	return lineOf(result);
};

/**
Lends a store in which all of another one can be read, and which is removed afterwards.

To look at something may take a tree that nobody has written, that of a merge for example. It is written into the lent store, in the system's folder for temporary files; the other one stays as it is, and may be somebody's who is at work in it.

@param more Folders of objects that can be read in it as well. They are only data to git: what is configured beside them counts for nothing, nor does an index or a graph that tells of them.
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

/** Both name parents and packs without the objects being asked, and may be anybody's who wrote those. */
const plainReading = new Map([
	['core.commitgraph', 'false'],
	['core.multipackindex', 'false'],
]);

export type CheckoutParts = {
	readonly repository: Repository;
	readonly commit: string;
	/** A folder for this checkout alone; the files are in `tree` below it. */
	readonly folder: string;
};

/**
Checks a commit of the store out, to run the person's checks on it.

The worktree hangs off a bare repository of its own, so that a check may run git, commit and switch branches there without reaching the store. A second call for the folder returns what is there.
*/
export const checkoutTree = async (
	store: Store,
	{repository, commit, folder}: CheckoutParts,
): Promise<LinkedTree> => {
	const borrowed = await borrowedFrom(repository);
	const objects = [join(store.gitDir, 'objects'), ...borrowed.objects];
	return createLinkedTree({folder, borrowed: {...borrowed, objects}, commit});
};

/** Removes a checkout with all that checks left in it. */
export const removeCheckout = (folder: string): Promise<void> =>
	rm(folder, {recursive: true, force: true});

/**
Copies a commit and all it needs from the store into the person's repository, without any ref to it.

Git checks every object on the way in, so neither one that was tampered with on disk arrives nor one that is made to harm git, such as a submodule whose address is an option. The result says what git made of it; on any exit code but 0 nothing has arrived.
*/
export const bringObjects = (
	repository: Repository,
	store: Store,
	commit: string,
): Promise<GitResult> =>
	sealed(
		gitLocationOf(repository),
		[
			'fetch',
			'--quiet',
			'--no-tags',
			'--no-prune',
			'--no-write-fetch-head',
			'--no-auto-maintenance',
			'--no-write-commit-graph',
			'--no-recurse-submodules',
			store.gitDir,
			commit,
		],
		{config: {'fetch.fsckObjects': 'true', 'protocol.version': '2'}, expect: 'any'},
	);
