import {defined} from '../../lib/values.ts';
import {splitNul} from '../process/result.ts';
import type {SealedOptions} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';
import {diffTree} from './changes.ts';

/** Number of changed lines; null for a binary file. */
export type LineCount = {readonly added: number | null; readonly removed: number | null};

/** A file that differs between two commits or trees. */
export type ChangedFile = LineCount & {
	readonly path: string;
	/** The old name of a renamed file. */
	readonly from?: string;
	readonly status: string;
	readonly modes: readonly [before: string, after: string];
};

/** Lists the files that differ between two commits or trees, by path; without `renames` a rename is a removal and an addition. */
export const changedFiles = async (
	store: Store,
	range: readonly [from: string, to: string],
	{renames}: {readonly renames: boolean},
): Promise<readonly ChangedFile[]> =>
	parse(splitNul(await listWith(store, range, [renames ? '-M' : '--no-renames'])));

/** Lists them with the unified diff of each, from its header on; a file whose type changed has none. */
export const changedFilesWithPatches = async (
	store: Store,
	range: readonly [from: string, to: string],
	signal: AbortSignal,
): Promise<readonly (readonly [file: ChangedFile, patch: string | undefined])[]> => {
	const stdout = await listWith(store, range, ['-M', '--unified=1'], {signal});
	const end = stdout.indexOf('\0\0');
	const files = parse(splitNul(end === -1 ? stdout : stdout.subarray(0, end + 1)));
	const text = end === -1 ? '' : stdout.subarray(end + 2).toString('utf8');
	const patches = text.split(/(?:^|\n)diff --git /).slice(1);
	// A type change is printed as a removal and an addition.
	const printed = files.flatMap(file => (file.status === 'T' ? [undefined, undefined] : [file]));
	const isWhole = printed.length === patches.length;
	const patchOf = new Map(isWhole ? printed.map((file, index) => [file, patches[index]]) : []);
	return files.map(file => [file, patchOf.get(file)]);
};

const listWith = (
	store: Store,
	range: readonly [from: string, to: string],
	words: readonly string[],
	options?: Pick<SealedOptions, 'signal'>,
): Promise<Buffer> => {
	const form = ['-z', '--raw', '--numstat', '--ignore-submodules=none'];
	return diffTree(store, [...form, ...words, ...range], options);
};

export const sumOfLines = (files: readonly LineCount[]) => ({
	added: files.reduce((sum, {added}) => sum + (added ?? 0), 0),
	removed: files.reduce((sum, {removed}) => sum + (removed ?? 0), 0),
});

/** Parses `:<old mode> <new mode> <old oid> <new oid> <status>` of all files, then `--numstat` of all files. */
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
