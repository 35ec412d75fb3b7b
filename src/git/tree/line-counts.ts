import {splitNul} from '../process/nul.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** How many lines differ at a path; null where it is no text. */
export type LineCount = {
	readonly path: string;
	readonly added: number | null;
	readonly removed: number | null;
};

/** Returns how many lines differ at each path between two commits or trees. */
export const lineCounts = async (
	store: Store,
	from: string,
	to: string,
): Promise<readonly LineCount[]> => {
	const {stdout} = await sealed(store, [
		...['diff-tree', '-r', '-z', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv'],
		...[from, to],
	]);
	return splitNul(stdout).map(parse);
};

const parse = (line: string): LineCount => {
	const [added = '', removed = '', ...path] = line.split('\t');
	return {path: path.join('\t'), added: countIn(added), removed: countIn(removed)};
};

const countIn = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);
