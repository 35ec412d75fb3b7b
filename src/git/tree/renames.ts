import {splitNul} from '../process/nul.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** A file that has another name in the later of two trees. */
export type Rename = {readonly from: string; readonly to: string};

/** Returns the files that git takes for renamed between two trees (or commits). */
export const renames = async (
	store: Store,
	from: string,
	to: string,
): Promise<readonly Rename[]> => {
	const {stdout} = await sealed(store, [
		'diff-tree',
		...['-r', '-z', '--name-status', '--find-renames', '--diff-filter=R'],
		...['--no-ext-diff', '--no-textconv', from, to],
	]);
	const fields = splitNul(stdout);
	return Array.from({length: Math.floor(fields.length / 3)}, (_, index) => ({
		from: fields[3 * index + 1] ?? '',
		to: fields[3 * index + 2] ?? '',
	}));
};
