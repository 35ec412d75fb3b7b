import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/is-there.ts';
import {linesOf} from '../process/lines.ts';
import {expectCode, lineOf} from '../process/result.ts';
import {sealed, supervisorIdentity} from '../process/sealed.ts';
import type {Identity} from '../repository/identity.ts';
import {moveOwnRef} from '../repository/own-ref.ts';
import type {Repository} from '../repository/repository.ts';
import {borrowedFrom, createBare, refreshBare} from './borrowed.ts';

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
	const result = await sealed(store, args, {
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
