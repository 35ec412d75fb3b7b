import {defined} from '../../lib/values.ts';
import {recalled} from '../process/recall.ts';
import {splitNul} from '../process/result.ts';
import type {Store} from '../store/store.ts';

/** How many lines of a file differ; null where it is no text. */
export type LineCount = {readonly added: number | null; readonly removed: number | null};

/** A file that differs between two commits or trees, without what differs in it. */
export type ChangedFile = LineCount & {
	readonly path: string;
	/** The name it had before, when it was renamed. */
	readonly from?: string;
	readonly status: string;
	/** Its mode before and after. */
	readonly modes: readonly [before: string, after: string];
};

/** Lists the files that differ between two commits or trees, in the order of paths; a rename is one file, or a removal and an addition where `renames` is off. */
export const changedFiles = async (
	store: Store,
	[from, to]: readonly [from: string, to: string],
	{renames}: {readonly renames: boolean},
): Promise<readonly ChangedFile[]> => {
	const {stdout} = await recalled(store, [
		...['diff-tree', '-r', '-z', '--raw', '--numstat', renames ? '-M' : '--no-renames'],
		...['--no-ext-diff', '--no-textconv', '--ignore-submodules=none', from, to],
	]);
	return parse(splitNul(stdout));
};

/** Adds up how many lines differ in some files. */
export const sumOfLines = (files: readonly LineCount[]) => ({
	added: files.reduce((sum, {added}) => sum + (added ?? 0), 0),
	removed: files.reduce((sum, {removed}) => sum + (removed ?? 0), 0),
});

/** Reads what git prints: all files with their modes first, `:<old mode> <new mode> <old oid> <new oid> <status>`, then all of them with their lines. */
const parse = (fields: readonly string[]): readonly ChangedFile[] => {
	const raw: Omit<ChangedFile, keyof LineCount>[] = [];
	let at = 0;
	for (let head = fields[at]; head?.startsWith(':'); head = fields[at]) {
		const [before = '', after = '', , , status = ''] = head.slice(1).split(' ');
		const isRename = status.startsWith('R');
		const [from = '', to = ''] = fields.slice(at + 1, at + 3);
		raw.push({
			path: isRename ? to : from,
			...defined({from: isRename ? from : undefined}),
			status: status.slice(0, 1),
			modes: [before, after],
		});
		at += isRename ? 3 : 2;
	}

	return raw.map(file => {
		const [added = '', removed = ''] = fields[at]?.split('\t', 2) ?? [];
		at += file.from === undefined ? 1 : 3;
		return {...file, added: countIn(added), removed: countIn(removed)};
	});
};

const countIn = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);
