import type {Evidence} from '../../events/finding.ts';
import type {Store} from '../../git/store/store.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {changedLine, wholeEntry} from '../file/evidence.ts';
import {hunksOf} from '../lines/hunks.ts';
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
	const texts = await readTexts(
		store,
		changed.flatMap(change => [entryBefore(change), entryAfter(change)]),
	);
	return changed.map(change => evidenceOf(side, change, texts));
};

/** Evidence is to be read. */
const mostFiles = 3;

const evidenceOf = (side: 'a' | 'b', change: Change, texts: Texts): Evidence => {
	const {path} = change;
	const [before, after] = [entryBefore(change), entryAfter(change)];
	if (before === undefined || after === undefined) {
		const entry = after ?? before;
		return {
			...(entry === undefined ? {side, path} : wholeEntry(side, {path, entry}, texts)),
			...(after === undefined ? {removed: true} : {}),
		};
	}

	const [from, to] = [texts(before), texts(after)];
	const [hunk] = from && to ? hunksOf(from, to) : [];
	return from === undefined || to === undefined || hunk === undefined
		? wholeEntry(side, {path, entry: after}, texts)
		: changedLine(
				hunk,
				{placed: {path, entry: before}, lines: from},
				{side, placed: {path, entry: after}, lines: to},
			);
};

const entryBefore = (change: Change) => (change.status === 'A' ? undefined : change.old);

const entryAfter = (change: Change) => (change.status === 'D' ? undefined : change.new);
