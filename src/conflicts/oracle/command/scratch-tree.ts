import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sealed} from '../../../git/process/sealed.ts';
import type {Store} from '../../../git/store/store.ts';

/** Lends a folder with the files of a tree, for a program that can't read them otherwise; it is removed afterwards. */
export const withScratchTree = async <Result>(
	{gitDir}: Store,
	tree: string,
	use: (root: string) => Promise<Result>,
): Promise<Result> => {
	const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-check-'));
	try {
		const workTree = join(folder, 'tree');
		await mkdir(workTree);
		const place = {gitDir, workTree, index: join(folder, 'index')};
		await sealed(place, ['read-tree', tree]);
		await sealed(place, ['checkout-index', '--all', '--quiet']);
		return await use(workTree);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};
