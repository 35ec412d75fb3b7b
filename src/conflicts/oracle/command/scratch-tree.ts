import {mkdir} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sealed} from '../../../git/process/sealed.ts';
import type {Store} from '../../../git/store/store.ts';
import {temporaryFolder} from '../../../lib/files/temporary-folder.ts';

/** Lends a folder with the files of a tree, for a program that can't read them otherwise; it is removed afterwards. */
export const withScratchTree = async <Result>(
	{gitDir}: Store,
	tree: string,
	use: (root: string) => Promise<Result>,
): Promise<Result> => {
	await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-check-'));
	const workTree = join(folder.path, 'tree');
	await mkdir(workTree);
	const location = {gitDir, workTree, index: join(folder.path, 'index')};
	await sealed(location, ['read-tree', tree]);
	await sealed(location, ['checkout-index', '--all', '--quiet']);
	return await use(workTree);
};
