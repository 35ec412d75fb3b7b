import type {Evidence} from '../../events/finding.ts';
import type {Store} from '../../git/store/store.ts';
import {type Change, changes, entriesOfChange} from '../../git/tree/changes.ts';
import {firstChange, wholeEntry} from '../detectors/file/evidence.ts';
import {readTexts, type Texts} from '../lines/texts.ts';

/** What a side has done: from which commit to which. */
export type SideOf = {readonly side: 'a' | 'b'; readonly base: string; readonly commit: string};

/** Returns the first line of what a side changed in each of a few files, those that a failure names before all others. */
export const changedLines = async (
	store: Store,
	{side, base, commit}: SideOf,
	named: readonly string[],
): Promise<readonly Evidence[]> => {
	const changed = (await changes(store, base, commit))
		.toSorted((one, other) => Number(named.includes(other.path)) - Number(named.includes(one.path)))
		.slice(0, mostFiles);
	const texts = await readTexts(store, changed.flatMap(entriesOfChange));
	return changed.map(change => evidenceOf(side, change, texts));
};

/** Evidence is to be read. */
const mostFiles = 3;

const evidenceOf = (side: 'a' | 'b', change: Change, texts: Texts): Evidence => {
	const {path} = change;
	if (change.status === 'D') {
		return {...wholeEntry(side, {path, entry: change.old}, texts), removed: true};
	}

	return (
		firstChange({side, path}, entriesOfChange(change), texts) ??
		wholeEntry(side, {path, entry: change.new}, texts)
	);
};
