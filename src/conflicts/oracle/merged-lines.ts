import type {Store} from '../../git/store/store.ts';
import {type Change, entriesOfChange} from '../../git/tree/changes.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import type {Comparison} from '../detector.ts';
import {hunksOf} from '../lines/hunks.ts';
import {readTexts, type Texts} from '../lines/texts.ts';
import type {MergedLines} from './apply-verdict.ts';
import type {ChangedLine, ChangedLines} from './evidence.ts';
import type {Diagnosis} from './oracle.ts';

/** Reads the lines that errors stand on, and those of served files that each side changed. */
export const readMergedLines = async (
	{store, a, b}: Comparison,
	{
		merged,
		errors,
		serves,
	}: {
		readonly merged: string;
		readonly errors: readonly Diagnosis[];
		readonly serves: (path: string) => boolean;
	},
): Promise<MergedLines> => ({
	at: await linesAt(store, merged, new Set(errors.map(({path}) => path))),
	a: await changedLines(
		store,
		a.changes.filter(({path}) => serves(path)),
	),
	b: await changedLines(
		store,
		b.changes.filter(({path}) => serves(path)),
	),
});

const linesAt = async (store: Store, tree: string, paths: ReadonlySet<string>) => {
	const entries = await entriesAt(store, tree, paths);
	const texts = await readTexts(store, entries.values());
	return (path: string, line: number): string => texts(entries.get(path))?.[line - 1] ?? '';
};

const changedLines = async (store: Store, changes: readonly Change[]): Promise<ChangedLines> => {
	const few = changes.slice(0, mostFiles);
	const texts = await readTexts(store, few.flatMap(entriesOfChange));
	return few.flatMap(change => linesOf(change, texts));
};

/** To show one line of each side, no more need be read. */
const mostFiles = 300;

/** The added lines stand first, since they are still there to be looked at. */
const linesOf = (change: Change, texts: Texts): readonly ChangedLine[] => {
	const {path} = change;
	const [old = [], now = []] = entriesOfChange(change).map(texts);
	const hunks = hunksOf(old, now);
	const part = (lines: readonly string[], from: number, count: number, removed: boolean) =>
		lines
			.slice(from - 1, from - 1 + count)
			.map((text, index) => ({path, line: from + index, text, removed}));
	return [
		...hunks.flatMap(({newLine, newCount}) => part(now, newLine, newCount, false)),
		...hunks.flatMap(({oldLine, oldCount}) => part(old, oldLine, oldCount, true)),
	];
};
