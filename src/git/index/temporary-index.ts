import {mkdtemp, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Store} from '../store/store.ts';

/**
Lends the path of an index that doesn't exist yet, in a folder that is removed afterwards.

A fresh folder for each use means that a lock which a killed git left behind can never be in the way.
*/
export const withTemporaryIndex = async <Result>(
	store: Store,
	use: (index: string) => Promise<Result>,
): Promise<Result> => {
	const folder = await mkdtemp(join(store.gitDir, 'index-'));
	try {
		return await use(join(folder, 'index'));
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};
