import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** A file of a tree, before its content is read. */
export type FileAt = {readonly oid: string; readonly bytes: number};

/** Returns the regular file that a tree holds at a path; a link is none. */
export const fileAt = async (
	store: Store,
	tree: string,
	path: string,
): Promise<FileAt | undefined> => {
	const {stdout} = await sealed(store, ['ls-tree', '-l', '-z', '--full-tree', tree, '--', path]);
	const [, oid, bytes] = /^100\d{3} blob ([\da-f]+) +(\d+)\t/.exec(stdout.toString()) ?? [];
	return oid === undefined ? undefined : {oid, bytes: Number(bytes)};
};
