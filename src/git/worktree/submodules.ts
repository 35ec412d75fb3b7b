import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {isThere} from '../../lib/files/reading.ts';
import {decodePath} from '../../lib/text/byte-path.ts';
import {copyKeptIndex, digestOf, keepCopy, withTemporaryIndex} from '../index-entries.ts';
import {splitNul} from '../process/result.ts';
import {sealed, type WorktreeLocation} from '../process/sealed.ts';
import {gitDirOf} from '../repository/checkouts.ts';
import {gitLocationOf, type Repository, resolveCommit} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {diskPath} from '../tree/disk-path.ts';
import {submoduleMode} from '../tree/entry.ts';
import {entriesOf} from '../tree/listing.ts';
import {within} from './open-worktree.ts';

/**
Writes the files of a commit's submodules, including nested ones, into a new worktree.

They come from the objects of the person's own submodules, which the store borrows. They are plain files without a `.git`: neither the agent's git nor ours finds a repository there. A submodule whose commit the person doesn't have stays an empty folder.
*/
export const layOutSubmodules = async (
	store: Store,
	tree: string,
	commit: string,
): Promise<void> => {
	for (const [path, oid] of await submodulesOf(store, commit)) {
		if ((await resolveCommit(store, oid)) !== undefined) {
			const folder = decodePath(diskPath(tree, path));
			await mkdir(folder, {recursive: true});
			await withTemporaryIndex(store, async index => {
				const location = {...store, workTree: folder, index};
				await sealed(location, ['read-tree', oid]);
				await sealed(location, ['checkout-index', '--all', '--force', '--quiet']);
			});
			await layOutSubmodules(store, folder, oid);
		}
	}
};

/**
Returns the files of a submodule that differ from its commit, except ignored ones.

An agent may have written anything there. Git compares it with a git dir of ours, whose settings name no filter, and follows no link.

@param oid the commit that the superproject's tree names
@param kept The kept index of the worktree. An index of the submodule is kept beside it, so that unchanged files aren't read again.
*/
export const changedInSubmodule = async (
	{workTree, ...store}: WorktreeLocation,
	path: string,
	oid: string,
	kept?: string,
): Promise<readonly string[]> => {
	if ((await resolveCommit(store, oid)) === undefined) {
		return [path];
	}

	const place = kept && `${kept}-${digestOf(Buffer.from(`${path}:${oid}`)).slice(0, 16)}`;
	return within(workTree, path.split('/'), async folder => {
		const own = await withTemporaryIndex(store, async index => {
			const location = {gitDir: store.gitDir, workTree: folder, index};
			if (place === undefined || !(await copyKeptIndex(place, index))) {
				await sealed(location, ['read-tree', oid]);
				await sealed(location, ['update-index', '-q', '--refresh']);
				await (place && keepCopy(index, place));
			}

			const look = ['ls-files', '-z', '--modified', '--others', '--exclude-standard'];
			return splitNul((await sealed(location, look)).stdout);
		});
		const inner = await submodulesOf(store, oid);
		const deeper = await Promise.all(
			[...inner].map(([name, commit]) =>
				changedInSubmodule({...store, workTree: folder}, name, commit, place),
			),
		);
		return [...new Set([...own.filter(name => !inner.has(name)), ...deeper.flat()])].map(
			name => `${path}/${name}`,
		);
	});
};

const submodulesOf = async (store: Store, commit: string): Promise<ReadonlyMap<string, string>> =>
	new Map(
		[...(await entriesOf(store, commit)).containing(submoduleMode)].flatMap(
			([path, {mode, oid}]) => (mode === submoduleMode ? [[path, oid] as const] : []),
		),
	);

/** Returns the submodules of the checked out commit whose files the person doesn't have, so that no worktree can have them. */
export const missingSubmodules = async (repository: Repository): Promise<readonly string[]> => {
	const linked = await submodulesOf(gitLocationOf(repository), 'HEAD');
	const missing = [...linked].map(async ([path, oid]) => {
		const folder = join(repository.root, path);
		// The git dir that a `.git` file names may be gone.
		const isMade = await isThere(join(folder, '.git'));
		const gitDir = isMade ? await gitDirOf(folder).catch(() => undefined) : undefined;
		const isHeld = gitDir !== undefined && (await resolveCommit({gitDir}, oid)) !== undefined;
		return isHeld ? [] : [path];
	});
	return (await Promise.all(missing)).flat();
};
