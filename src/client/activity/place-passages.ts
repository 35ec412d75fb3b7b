import type {Account, Passage} from './account.ts';

/** Where a line of an agent's words ends: in which turn, and how many bytes of that turn's transcript there are up to it. */
export type LineEnd = {readonly turn: number; readonly end: number};

/** A passage, and the line of the agent's words before which it stands. */
export type PlacedPassage = {readonly passage: Passage; readonly before: number};

/**
Places what an agent did among the lines that are kept of what it said.

A passage stands behind the line in which its place lies, since a line is not cut. What the agent did before the first line that is kept stands before that.
*/
export const placePassages = (
	{passages}: Pick<Account, 'passages'>,
	lines: readonly LineEnd[],
): readonly PlacedPassage[] => {
	const placed: PlacedPassage[] = [];
	let before = 0;
	for (const passage of passages) {
		while (isBefore(lines[before], lines[before - 1], passage)) {
			before++;
		}

		placed.push({passage, before});
	}

	return placed;
};

/** A line is before a passage when it began before it. */
const isBefore = (
	line: LineEnd | undefined,
	last: LineEnd | undefined,
	{turn, offset}: Pick<Passage, 'turn' | 'offset'>,
): boolean => {
	if (line === undefined) {
		return false;
	}

	const start = last?.turn === line.turn ? last.end : 0;
	return line.turn < turn || (line.turn === turn && start < offset);
};
