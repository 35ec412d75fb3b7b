import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {temporaryFolder} from '../../lib/files/temporary-folder.ts';
import {lineOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {createBare} from './borrowed.ts';
import type {Store} from './store.ts';

/**
Lends a store in which all of another one can be read, and which is removed afterwards.

To look at something may take a tree that nobody has written, that of a merge for example. It is written into the lent store, in the system's folder for temporary files; the other one stays as it is, and may be somebody's who is at work in it.

@param more Folders of objects that can be read in it as well. They are only data to git: what is configured beside them counts for nothing, nor does an index or a graph that tells of them.
*/
export const withReadingStore = async <Result>(
	{gitDir}: Store,
	use: (store: Store) => Promise<Result>,
	more: readonly string[] = [],
): Promise<Result> => {
	await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-look-'));
	const store = {gitDir: join(folder.path, 'store.git')};
	await createBare(store.gitDir, {
		objects: [join(gitDir, 'objects'), ...more],
		objectFormat: lineOf(await sealed({gitDir}, ['rev-parse', '--show-object-format'])),
		shallowFile: join(gitDir, 'shallow'),
		config: plainReading,
		exclude: '',
	});
	return await use(store);
};

/** Both name parents and packs without the objects being asked, and may be anybody's who wrote those. */
const plainReading = new Map([
	['core.commitgraph', 'false'],
	['core.multipackindex', 'false'],
]);
