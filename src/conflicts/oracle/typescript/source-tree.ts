import type {Store} from '../../../git/store/store.ts';
import {readBlobs} from '../../../git/tree/blobs.ts';
import {filesOf, type TreeFile} from '../../../git/tree/tree-files.ts';

/** What TypeScript may ask of a tree: its files by path, with the ids of their contents. */
export type SourceTree = ReadonlyMap<string, string>;

/** Contents by id; it grows with what differs between the trees that are read. */
export type Contents = Map<string, string>;

/** Returns the files of a tree that TypeScript can read, and reads those whose contents aren't known yet. */
export const readSourceTree = async (
	store: Store,
	tree: string,
	contents: Contents,
): Promise<SourceTree> => {
	const files = [...(await filesOf(store, tree))].filter(([path, file]) => isSource(path, file));
	const unread = files.map(([, {oid}]) => oid).filter(oid => !contents.has(oid));
	for (const [oid, bytes] of unread.length === 0 ? [] : await readBlobs(store, unread)) {
		contents.set(oid, bytes.toString('utf8'));
	}

	return new Map(files.map(([path, {oid}]) => [path, oid]));
};

/** What is in the repository below `node_modules` is somebody else's; a very large file is data. */
const isSource = (path: string, {bytes}: TreeFile): boolean =>
	/\.([cm]?[jt]sx?|json)$/.test(path) &&
	bytes <= mostBytes &&
	!path.split('/').includes('node_modules');

const mostBytes = 2 ** 20;
