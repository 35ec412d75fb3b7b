import {diffArrays} from 'diff';

/** Lines of the old text that were replaced by lines of the new one; counted from 1. */
export type Hunk = {
	/** The first replaced line; where nothing was replaced, the line before which the new ones stand. */
	readonly oldLine: number;
	readonly oldCount: number;
	readonly newLine: number;
	readonly newCount: number;
};

/** Returns what changed between two texts, in the order of lines. */
export const hunksOf = (before: readonly string[], after: readonly string[]): readonly Hunk[] => {
	const parts = diffArrays([...before], [...after], {maxEditLength});
	return parts === undefined ? [outerHunk(before, after)] : asHunks(parts);
};

/** Texts that differ in more lines than this are as good as unlike each other, and slow to tell apart. */
const maxEditLength = 2000;

type Part = {readonly added: boolean; readonly removed: boolean; readonly count: number};

const asHunks = (parts: readonly Part[]): readonly Hunk[] => {
	const hunks: Hunk[] = [];
	let [oldLine, newLine] = [1, 1];
	let open: Hunk | undefined;
	for (const {added, removed, count} of parts) {
		if (!added && !removed) {
			hunks.push(...(open === undefined ? [] : [open]));
			open = undefined;
			oldLine += count;
			newLine += count;
			continue;
		}

		open ??= {oldLine, oldCount: 0, newLine, newCount: 0};
		open = removed
			? {...open, oldCount: open.oldCount + count}
			: {...open, newCount: open.newCount + count};
		oldLine += removed ? count : 0;
		newLine += added ? count : 0;
	}

	return open === undefined ? hunks : [...hunks, open];
};

/** Everything between the first and the last line that differ. */
const outerHunk = (before: readonly string[], after: readonly string[]): Hunk => {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) {
		start += 1;
	}

	let end = 0;
	while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) {
		end += 1;
	}

	return {
		oldLine: start + 1,
		oldCount: before.length - start - end,
		newLine: start + 1,
		newCount: after.length - start - end,
	};
};
