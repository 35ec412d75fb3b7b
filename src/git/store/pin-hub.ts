import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {asFailure, Failure} from '../../lib/failure.ts';
import {ifThere, readRegularFile} from '../../lib/files/reading.ts';
import {joinLines, lineOf, linesOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import type {Repository} from '../repository/repository.ts';
import {lookUp, type ObjectInfo} from '../tree/blobs.ts';
import {borrowedFrom} from './borrowed.ts';
import {createLinkedTree, type LinkedTree, type LinkedTreeParts} from './linked-tree.ts';
import {checkingFetch, fetchConfig, type Store, withReadingStore} from './store.ts';

/**
Pins every object that an agent's git has written into its hub, with refs below a prefix in the store.

Stashes, reset commits, commits on no branch and staged files are the agent's work as well. The agent controls the hub's configuration, so the hub is never opened: a repository of ours reads its objects, and git checks each of them on the way into the store.

@throws `Failure` of kind `refused` when something in the hub is broken or can't be read.
*/
export const pinHub = async (store: Store, hub: string, prefix: string): Promise<void> => {
	try {
		await withReadingStore(
			store,
			async reader => {
				const heads = await headsOf(reader, await idsIn(reader, join(hub, 'objects')));
				if (heads.length > 0) {
					await nameAll(reader, heads);
					await fetchAll(store, reader, prefix);
				}
			},
			[join(hub, 'objects')],
		);
	} catch (error) {
		const {message} = asFailure(error);
		throw new Failure('refused', `${hub} could not be read: ${message}`, {cause: error});
	}
};

/** Returns the folders of a hub with work that isn't in its objects: repositories of submodules, and content of git LFS. */
export const foreignToHub = async (hub: string): Promise<readonly string[]> => {
	const worktrees = await namesIn(join(hub, 'worktrees'));
	const paths = ['modules', 'lfs/objects', ...worktrees.map(name => `worktrees/${name}/modules`)];
	const contents = await Promise.all(paths.map(path => namesIn(join(hub, path))));
	return paths.filter((_, position) => contents[position]?.length !== 0);
};

/** Returns the ids of the objects in a folder, without borrowed ones; doesn't follow links. */
const idsIn = async (reader: Store, objects: string): Promise<readonly string[]> => {
	const entry = await ifThere(lstat(objects));
	if (!entry?.isDirectory()) {
		return [];
	}

	const fans = (await namesIn(objects)).filter(name => /^[\da-f]{2}$/.test(name));
	const loose = await Promise.all(fans.map(fan => looseIn(objects, fan)));
	const packs = (await namesIn(join(objects, 'pack'))).filter(name => name.endsWith('.idx'));
	const packed = await Promise.all(
		packs.map(name => packedIn(reader, join(objects, 'pack', name))),
	);
	return [...new Set([...loose, ...packed].flat())];
};

const looseIn = async (objects: string, fan: string): Promise<readonly string[]> => {
	const names = await namesIn(join(objects, fan));
	return names.filter(name => /^[\da-f]{38,62}$/.test(name)).map(name => `${fan}${name}`);
};

const packedIn = async (reader: Store, index: string): Promise<readonly string[]> => {
	const format = lineOf(await sealed(reader, ['rev-parse', '--show-object-format']));
	const input = readRegularFile(index).bytes;
	const listed = await sealed(reader, ['show-index', `--object-format=${format}`], {input});
	return linesOf(listed).map(oidIn);
};

/** Reads `<offset> SP <oid> SP (<checksum>)`. */
const oidIn = (line: string): string => {
	const [, oid = ''] = line.split(' ');
	return oid;
};

/** Ids that reach all others: the last commits, tags, and a tree of all blobs and trees. */
const headsOf = async (reader: Store, ids: readonly string[]): Promise<readonly string[]> => {
	const typed = await typesOf(reader, ids);
	const commits = typed.filter(({type}) => type === 'commit').map(({oid}) => oid);
	const parents = new Set(await parentsOf(reader, commits));
	const tags = typed.filter(({type}) => type === 'tag').map(({oid}) => oid);
	const files = typed.filter(({type}) => type === 'blob' || type === 'tree');
	return [
		...commits.filter(commit => !parents.has(commit)),
		...tags,
		...(files.length === 0 ? [] : [await treeOfAll(reader, files)]),
	];
};

const typesOf = async (reader: Store, ids: readonly string[]): Promise<readonly ObjectInfo[]> =>
	(await lookUp(reader, ids)).map((found, position) => {
		if (found === undefined) {
			throw new Failure('refused', `object ${ids[position]} is damaged`);
		}

		return found;
	});

const parentsOf = async (reader: Store, commits: readonly string[]): Promise<readonly string[]> => {
	const args = ['rev-list', '--no-walk', '--parents', '--stdin'];
	const listed = await sealed(reader, args, {input: joinLines(commits)});
	return linesOf(listed).flatMap(line => line.split(' ').slice(1));
};

const treeOfAll = async (reader: Store, files: readonly ObjectInfo[]): Promise<string> => {
	const lines = files.map(({oid, type}) => `${modes[type]} ${type} ${oid}\t${oid}`);
	return lineOf(await sealed(reader, ['mktree'], {input: joinLines(lines)}));
};

const modes: Readonly<Record<string, string>> = {blob: '100644', tree: '040000'};

const nameAll = (reader: Store, heads: readonly string[]) =>
	sealed(reader, ['update-ref', '--stdin'], {
		input: joinLines(heads.map(oid => `create refs/own/${oid} ${oid}`)),
	});

const fetchAll = (store: Store, reader: Store, prefix: string) =>
	sealed(store, [...checkingFetch, reader.gitDir, `+refs/own/*:${prefix}/*`], {
		config: fetchConfig,
	});

const namesIn = async (folder: string): Promise<readonly string[]> =>
	(await ifThere(readdir(folder))) ?? [];

const sparseConfig = [
	['core.sparseCheckout', 'true'],
	['core.sparseCheckoutCone', 'true'],
] as const;

export type HubParts = {
	/** The agent's folder in the session, for `hub.git` and the worktree. */
	readonly folder: string;
	readonly repository: Repository;
	readonly base: string;
	/** The agent's branch, the only ref of its hub. */
	readonly branch: string;
} & Pick<LinkedTreeParts, 'onCheckout' | 'checkout'>;

/**
Gives an agent a bare repository of its own with one worktree.

It reads the person's objects, but not their refs, stash, configuration, hooks or remotes, nor another agent's work. A second call completes an interrupted first one.

@throws `Failure` of kind `missing` when the worktree was removed.
*/
export const createHub = async ({repository, base, ...parts}: HubParts): Promise<LinkedTree> => {
	const borrowed = await borrowedFrom(repository);
	const config = new Map([
		...borrowed.config,
		['gc.auto', '0'],
		['maintenance.auto', 'false'],
		...(parts.checkout === undefined ? [] : sparseConfig),
	]);
	return createLinkedTree({...parts, borrowed: {...borrowed, config}, commit: base});
};
