import {type DiffLine, otherOf} from './diff.ts';

/** One row of a side-by-side diff: a line before and after the change, either of which may be missing; or a single line of both sides. */
export type LinePair = readonly [DiffLine | undefined, DiffLine | undefined] | readonly [DiffLine];

/** Returns the lines of a file's diff side by side: a changed line beside its partner, other removed lines beside the added ones that replace them. */
export const linePairs = (lines: readonly DiffLine[]): readonly LinePair[] => {
	const sides: LinePair[] = [];
	for (let at = 0; at < lines.length; ) {
		const {left, right} = changeAt(lines, at);
		const line = lines[at];
		if (left.length + right.length > 0) {
			sides.push(...aligned(left, right));
			at += left.length + right.length;
		} else if (line !== undefined) {
			sides.push(line.kind === 'same' ? [line, line] : [line]);
			at++;
		}
	}

	return sides;
};

type Change = {readonly left: readonly DiffLine[]; readonly right: readonly DiffLine[]};

/** Returns the removed lines that begin at an index and the added ones after them, each with its remarks. */
const changeAt = (lines: readonly DiffLine[], at: number): Change => {
	const middle = endOf(lines, at, 'removed');
	const left = lines.slice(at, middle);
	return {left, right: lines.slice(middle, endOf(lines, middle, 'added'))};
};

const endOf = (lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number => {
	let end = from;
	while (lines[end]?.kind === kind || (end > from && lines[end]?.kind === 'remark')) {
		end++;
	}

	return end;
};

const aligned = (left: readonly DiffLine[], right: readonly DiffLine[]): readonly LinePair[] => {
	const sides: LinePair[] = [];
	let [before, after] = [0, 0];
	/** Places the lines up to these indexes side by side in order, related or not. */
	const fill = (end: number, other: number): void => {
		for (; before < end || after < other; before++, after++) {
			sides.push([
				before < end ? left[before] : undefined,
				after < other ? right[after] : undefined,
			]);
		}

		[before, after] = [end, other];
	};

	for (const [at, line] of left.entries()) {
		const other = otherOf(line);
		if (other !== undefined) {
			fill(at, right.indexOf(other, after));
			sides.push([left[before++], right[after++]]);
		}
	}

	fill(left.length, right.length);
	return sides;
};
