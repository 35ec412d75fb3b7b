import {splitNul} from '../process/nul.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** A regular file of a tree, before its content is read. */
export type TreeFile = {readonly oid: string; readonly bytes: number};

/** Returns the regular files of a tree (or of these paths in it) with their sizes, by path; links and submodules are none. */
export const filesOf = async (
	store: Store,
	tree: string,
	...paths: readonly string[]
): Promise<ReadonlyMap<string, TreeFile>> => {
	const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', tree, '--', ...paths];
	const {stdout} = await sealed(store, args);
	return new Map(
		splitNul(stdout)
			.filter(line => line.startsWith('100'))
			.map(parse),
	);
};

/** Reads `<mode> SP blob SP <oid> SP+ <bytes> TAB <path>`. */
const parse = (line: string): [string, TreeFile] => {
	const tab = line.indexOf('\t');
	const [, , oid = '', bytes] = line.slice(0, tab).split(/ +/);
	return [line.slice(tab + 1), {oid, bytes: Number(bytes)}];
};
