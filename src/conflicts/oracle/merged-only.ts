import type {Diagnosis} from './oracle.ts';

/** What a checker says of the trees around a merge. */
export type DiagnosesByTree = {
	readonly base: readonly Diagnosis[];
	readonly a: readonly Diagnosis[];
	readonly b: readonly Diagnosis[];
	readonly beside?: readonly (readonly Diagnosis[])[];
	readonly merged: readonly Diagnosis[];
};

/**
Returns the errors that only the merged tree has.

An error is the same wherever it stands in its file, so it is counted by file, code and text. The merge may hold those of the base, and whatever each side added to them by itself: two sides that each import the same missing package make two errors, and neither of them is the merge's.
*/
export const onlyMerged = (trees: DiagnosesByTree): readonly Diagnosis[] => {
	const {base, a, b, beside = [], merged} = trees;
	const ofBase = grouped(base);
	const sides = [a, b, ...beside].map(grouped);
	const seen = new Map<string, number>();
	return merged.filter(diagnosis => {
		const key = keyOf(diagnosis);
		const number = (seen.get(key) ?? 0) + 1;
		seen.set(key, number);
		const times = (all: typeof ofBase) => all.get(key)?.length ?? 0;
		const before = times(ofBase);
		const added = sides.map(side => Math.max(0, times(side) - before));
		return number > before + added.reduce((sum, count) => sum + count, 0);
	});
};

const grouped = (diagnoses: readonly Diagnosis[]) => Map.groupBy(diagnoses, keyOf);

const keyOf = ({path, code, text}: Diagnosis): string => JSON.stringify([path, code, text]);
