import {open, rename} from 'node:fs/promises';
import {sealed} from '../../process/sealed.ts';
import type {Store} from '../../store/store.ts';
import {blobSizes} from '../../tree/blobs.ts';
import {type Change, newOf, oldOf} from '../../tree/changes.ts';
import {submoduleMode} from '../../tree/entry.ts';
import {treesOf} from '../../tree/graft.ts';

/**
Keeps changes as a patch, whole and on disk; `git apply` brings them back.

Git can't write a patch of a file of 2 GiB, and nobody can read one of many. So files beyond what a patch can hold are named at its top with the id of their content, which the snapshot has.
*/
export const keepPatch = async (
	store: Store,
	changes: readonly Change[],
	patchFile: string,
): Promise<void> => {
	const {fitting, long} = await tellApart(store, changes);
	const diff = await diffOf(store, fitting);
	const file = await open(`${patchFile}.making`, 'w');
	try {
		await file.writeFile(long.map(noteOf(store)).join(''));
		await file.writeFile(diff);
		await file.sync();
	} finally {
		await file.close();
	}

	await rename(`${patchFile}.making`, patchFile);
};

/** So many bytes of content go into a patch. */
const mostBytes = 64 * 2 ** 20;

type Parts = {readonly fitting: readonly Change[]; readonly long: readonly Change[]};

const tellApart = async (store: Store, changes: readonly Change[]): Promise<Parts> => {
	const sizes = await blobSizes(store, changes.flatMap(contentsOf));
	const fitting: Change[] = [];
	const long: Change[] = [];
	let room = mostBytes;
	for (const change of changes) {
		const size = contentsOf(change).reduce((sum, oid) => sum + (sizes.get(oid) ?? 0), 0);
		if (size <= room) {
			room -= size;
			fitting.push(change);
		} else {
			long.push(change);
		}
	}

	return {fitting, long};
};

const contentsOf = (change: Change): readonly string[] =>
	[oldOf(change), newOf(change)].flatMap(entry =>
		entry === undefined || entry.mode === submoduleMode ? [] : [entry.oid],
	);

/** A name in quotes can't pass for a line of the patch. */
const noteOf =
	({gitDir}: Store) =>
	(change: Change): string => {
		const path = JSON.stringify(change.path);
		return 'new' in change
			? `${path} is too long for a patch: git --git-dir '${gitDir}' cat-file blob ${change.new.oid}\n`
			: `${path} was removed.\n`;
	};

const diffOf = async (store: Store, changes: readonly Change[]): Promise<Buffer> => {
	const {before, after} = await treesOf(store, changes);
	const options = ['--patch', '--binary', '--full-index', '--no-renames'];
	const plain = ['--no-ext-diff', '--no-textconv'];
	return (await sealed(store, ['diff-tree', '-r', ...options, ...plain, before, after])).stdout;
};
