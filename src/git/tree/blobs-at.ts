import {encodePath} from '../../lib/text/byte-path.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** Returns the blob that each of some commits holds at a path, in their order; nothing where one has none there. */
export const blobsAt = async (
	store: Store,
	commits: readonly string[],
	path: string,
): Promise<readonly (string | undefined)[]> => {
	// Git would read a name with a line end in it as two.
	if (commits.length === 0 || path.includes('\n')) {
		return commits.map(() => undefined);
	}

	const {stdout} = await sealed(store, ['cat-file', '--batch-check', '--buffer'], {
		input: encodePath(commits.map(commit => `${commit}:${path}\n`).join('')),
	});
	const lines = stdout.toString('latin1').split('\n');
	return commits.map((_, index) => /^([\da-f]+) blob \d+$/.exec(lines[index] ?? '')?.[1]);
};
