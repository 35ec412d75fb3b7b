import type {Diagnosis} from './oracle.ts';

/** What a checker says of the trees around a merge. */
export type DiagnosesByTree = {
	readonly base: readonly Diagnosis[];
	readonly a: readonly Diagnosis[];
	readonly b: readonly Diagnosis[];
	readonly merged: readonly Diagnosis[];
};

/**
Returns the errors that only the merged tree has.

An error is the same wherever it stands in its file, so it is counted by file, code and text. The merge may hold those of the base, and whatever each side added to them by itself: two sides that each import the same missing package make two errors, and neither of them is the merge's.
*/
export const onlyMerged = ({base, a, b, merged}: DiagnosesByTree): readonly Diagnosis[] => {
	const [ofBase, ofA, ofB] = [counted(base), counted(a), counted(b)];
	const seen = new Map<string, number>();
	return merged.filter(diagnosis => {
		const key = keyOf(diagnosis);
		const number = (seen.get(key) ?? 0) + 1;
		seen.set(key, number);
		const before = ofBase.get(key) ?? 0;
		const added = (side: ReadonlyMap<string, number>) => Math.max(0, (side.get(key) ?? 0) - before);
		return number > before + added(ofA) + added(ofB);
	});
};

const counted = (diagnoses: readonly Diagnosis[]): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	for (const key of diagnoses.map(keyOf)) {
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}

	return counts;
};

const keyOf = ({path, code, text}: Diagnosis): string => JSON.stringify([path, code, text]);
