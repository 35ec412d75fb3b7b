/** Rows from the first up to, and without, the last. */
export type Range = readonly [from: number, to: number];

/** Which rows of a diff have been on the screen, as it was laid out then; laid out again, all of it is unseen. */
export type Seen = {readonly columns: number; readonly ranges: readonly Range[]};

/** Returns what has been seen once these rows have been on the screen as well. */
export const withRows = (seen: Seen | undefined, columns: number, [from, to]: Range): Seen => {
	const known = seen?.columns === columns ? seen : {columns, ranges: []};
	if (to <= from || isSeen(known, [from, to])) {
		return known;
	}

	const apart = known.ranges.filter(([start, end]) => end < from || start > to);
	const touched = known.ranges.filter(range => !apart.includes(range));
	const joined: Range = [
		Math.min(from, ...touched.map(([start]) => start)),
		Math.max(to, ...touched.map(([, end]) => end)),
	];
	return {columns, ranges: [...apart, joined]};
};

/** Returns whether all of these rows have been on the screen. */
export const isSeen = ({ranges}: Seen, [from, to]: Range): boolean =>
	ranges.some(([start, end]) => start <= from && to <= end);
