import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {temporaryFolder} from '../../lib/files/folders.ts';
import {splitNul} from '../process/result.ts';
import type {WorktreeLocation} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';
import {contentsOf} from '../tree/blobs.ts';
import {diskPath} from '../tree/disk-path.ts';
import type {Entry} from '../tree/entry.ts';
import {entriesOf, type TreeEntries} from '../tree/listing.ts';

/** Lends a location whose worktree contains only the `.gitattributes` files of a commit. Git reads attributes from a worktree, and a store has none; `merge=union` or `binary` decide how a project merges. The drivers and filters that they name aren't configured here, so none can start a program. */
export const withAttributesOf = async <Result>(
	store: Store,
	commit: string,
	use: (location: WorktreeLocation) => Promise<Result>,
): Promise<Result> => {
	const files = await attributeFiles(store, commit);
	await using folder = await temporaryFolder(join(store.gitDir, 'attributes-'));
	for (const [path, content] of files) {
		await mkdir(diskPath(folder.path, dirname(path)), {recursive: true});
		await writeFile(diskPath(folder.path, path), content);
	}

	return await use({...store, workTree: folder.path});
};

/** Parses the values of one attribute in the output of `git check-attr -z`, by path. */
export const attributeNames = (stdout: Buffer): ReadonlyMap<string, string> => {
	const fields = splitNul(stdout);
	const names = new Map<string, string>();
	for (let position = 0; position + 2 < fields.length; position += 3) {
		const [path = '', , name = ''] = fields.slice(position, position + 3);
		if (!['unspecified', 'unset', 'set'].includes(name)) {
			names.set(path, name);
		}
	}

	return names;
};

/** Returns whether a path is a `.gitattributes` file. */
export const isAttributesFile = (path: string): boolean =>
	path === attributesName || path.endsWith(`/${attributesName}`);

export const attributesName = '.gitattributes';

export const attributesFilesIn = (entries: TreeEntries): readonly [path: string, entry: Entry][] =>
	[...entries.containing(attributesName)].filter(([path]) => isAttributesFile(path));

const attributeFiles = async (
	store: Store,
	commit: string,
): Promise<ReadonlyMap<string, Buffer>> => {
	const entries = attributesFilesIn(await entriesOf(store, commit)).filter(([, {mode}]) =>
		mode.startsWith('100'),
	);
	return contentsOf(store, new Map(entries.map(([path, {oid}]) => [path, oid])));
};
