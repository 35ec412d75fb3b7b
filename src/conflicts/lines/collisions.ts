import type {Hunk} from './hunks.ts';

/** Hunks of both sides that git can't merge, since they change the same lines or lines that touch. */
export type LineCollision = {readonly a: Hunk; readonly b: Hunk};

/**
Returns where the changes of two sides meet, each place once, with the first hunk of each side there.

Changes collide as in git: one unchanged line between them is enough to keep them apart. Places where both sides wrote the same are left out.
*/
export const collisionsOf = (
	{lines: aLines, hunks: aHunks}: ChangedText,
	{lines: bLines, hunks: bHunks}: ChangedText,
): readonly LineCollision[] => {
	const collisions: LineCollision[] = [];
	let reached = 0;
	for (const a of aHunks) {
		const b = bHunks.find(hunk => meets(a, hunk));
		if (b === undefined || isSame(a, aLines, b, bLines)) {
			continue;
		}

		if (Math.min(a.oldLine, b.oldLine) > reached || collisions.length === 0) {
			collisions.push({a, b});
		}

		reached = Math.max(reached, endOf(a), endOf(b));
	}

	return collisions;
};

/** One side's text, and how it differs from the base. */
export type ChangedText = {readonly lines: readonly string[]; readonly hunks: readonly Hunk[]};

const endOf = ({oldLine, oldCount}: Hunk): number => oldLine + oldCount;

const meets = (one: Hunk, other: Hunk): boolean =>
	one.oldLine <= endOf(other) && other.oldLine <= endOf(one);

const isSame = (a: Hunk, aLines: readonly string[], b: Hunk, bLines: readonly string[]): boolean =>
	a.oldLine === b.oldLine && a.oldCount === b.oldCount && newText(a, aLines) === newText(b, bLines);

const newText = ({newLine, newCount}: Hunk, lines: readonly string[]): string =>
	lines.slice(newLine - 1, newLine - 1 + newCount).join('\n');
