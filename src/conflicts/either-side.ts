import type {MergeConflict, MergeResult} from '../git/merge/merge-tree.ts';
import type {Store} from '../git/store/store.ts';
import {readBlobs, writeBlob} from '../git/tree/blobs.ts';
import type {Change} from '../git/tree/changes.ts';
import {type Entry, entriesAt} from '../git/tree/entry.ts';
import {graft} from '../git/tree/graft.ts';
import {languageOf} from './source/languages.ts';

type Conflicted = Extract<MergeResult, {clean: false}>;

type SideName = 'ours' | 'theirs';

/**
Returns the trees of a merge that git can't make, with our side and with their side at each conflict.

Source files keep git's merged lines, so that the two trees differ only in the conflicting lines. A finding in both trees holds for any resolution, unless a person writes something else.
*/
export const eitherSide = async (
	store: Store,
	{tree, conflicts}: Conflicted,
): Promise<readonly [ours: string, theirs: string]> => {
	const marked = await markedTexts(store, tree, conflicts);
	const side = async (name: SideName): Promise<string> => {
		const changes = conflicts.map(async (conflict): Promise<Change> => {
			const entry = conflict[name];
			const text = unmarked(marked.get(conflict.path), name);
			return asLeft(
				conflict.path,
				entry && text !== undefined
					? {...entry, oid: await writeBlob(store, Buffer.from(text, 'latin1'))}
					: entry,
			);
		});
		return graft(store, {onto: tree, changes: await Promise.all(changes)});
	};
	return [await side('ours'), await side('theirs')];
};

/** Returns the tree of a merge that git can't make, with one side's whole file at each conflict. */
export const keepingSide = (
	store: Store,
	{tree, conflicts}: Conflicted,
	name: SideName,
): Promise<string> =>
	graft(store, {
		onto: tree,
		changes: conflicts.map(conflict => asLeft(conflict.path, conflict[name])),
	});

const asLeft = (path: string, entry: Entry | undefined): Change =>
	entry === undefined
		? {status: 'D', path, old: {mode: '000000', oid: ''}}
		: {status: 'M', path, old: entry, new: entry};

/** Reads git's conflicted source files that both sides have, as latin1. */
const markedTexts = async (
	store: Store,
	tree: string,
	conflicts: readonly MergeConflict[],
): Promise<ReadonlyMap<string, string>> => {
	const paths = conflicts
		.filter(({path, ours, theirs}) => ours && theirs && languageOf(path) !== undefined)
		.map(({path}) => path);
	const entries = await entriesAt(store, tree, paths);
	const oids = [...entries.values()].map(({oid}) => oid);
	const blobs = await readBlobs(store, oids);
	return new Map(
		[...entries].map(([path, {oid}]) => [path, blobs.get(oid)?.toString('latin1') ?? '']),
	);
};

/** Returns a text with one side of each conflict; nothing if there is none, or the marks could be the file's own lines. */
const unmarked = (text: string | undefined, name: SideName): string | undefined => {
	const kept: string[] = [];
	let within: 'both' | SideName = 'both';
	let count = 0;
	for (const line of text?.split(/(?<=\n)/) ?? []) {
		const mark = /^(<{7} |={7}\r?\n|>{7} |\|{7} )/.exec(line)?.[1]?.[0];
		const next = mark && within + mark;
		if (next === undefined) {
			kept.push(...(within === 'both' || within === name ? [line] : []));
		} else if (next === 'both<') {
			within = 'ours';
			count += 1;
		} else if (next === 'ours=') {
			within = 'theirs';
		} else if (next === 'theirs>') {
			within = 'both';
		} else {
			return undefined;
		}
	}

	return count > 0 && within === 'both' ? kept.join('') : undefined;
};
