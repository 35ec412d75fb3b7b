import {join} from 'node:path';
import {temporaryFolder} from '../../lib/files/temporary-folder.ts';
import type {Store} from '../store/store.ts';

/**
Lends the path of an index that doesn't exist yet, in a folder that is removed afterwards.

A fresh folder for each use means that a lock which a killed git left behind can never be in the way.
*/
export const withTemporaryIndex = async <Result>(
	store: Store,
	use: (index: string) => Promise<Result>,
): Promise<Result> => {
	await using folder = await temporaryFolder(join(store.gitDir, 'index-'));
	return await use(join(folder.path, 'index'));
};
