import {type Entry, submoduleMode, symlinkMode} from '../../../git/tree/entry.ts';
import {defined} from '../../../lib/values.ts';
import type {Evidence} from '../../finding.ts';
import {
	collisionsOf,
	type Hunk,
	hunksOf,
	type LineCollision,
	sectionAt,
	type Texts,
} from '../../hunks.ts';
import type {FileConflict, Placed} from './file-conflict.ts';

/** Returns the lines of both sides where their changes to one text meet; empty if a side has no text. */
export const meetingLines = (conflict: FileConflict, texts: Texts): readonly Evidence[] => {
	const [base, a, b] = [conflict.base, conflict.a, conflict.b].map(placed => texts(placed?.entry));
	if (a === undefined || b === undefined || !conflict.a || !conflict.b) {
		return [];
	}

	if (base === undefined || !conflict.base) {
		const [first] = hunksOf(a, b);
		return first === undefined
			? []
			: [
					lineOf('a', {path: conflict.a.path, lines: a}, first.oldLine),
					lineOf('b', {path: conflict.b.path, lines: b}, first.newLine),
				];
	}

	const [aHunks, bHunks] = [hunksOf(base, a), hunksOf(base, b)];
	const met = collisionsOf({lines: a, hunks: aHunks}, {lines: b, hunks: bHunks});
	const [firstA, firstB] = [aHunks[0], bHunks[0]];
	const collisions: readonly LineCollision[] =
		met.length === 0 && firstA && firstB ? [{a: firstA, b: firstB}] : met;
	const from = {path: conflict.base.path, lines: base};
	const toA = {side: 'a' as const, path: conflict.a.path, lines: a};
	const toB = {side: 'b' as const, path: conflict.b.path, lines: b};
	return collisions
		.slice(0, mostCollisions)
		.flatMap(collision => [
			changedLine(collision.a, from, toA),
			changedLine(collision.b, from, toB),
		]);
};

/** Returns the changed lines of the side that still has the file, and the deletion by the other one. */
export const changedAndRemoved = (conflict: FileConflict, texts: Texts): readonly Evidence[] => {
	const {base, a, b} = conflict;
	const [kept, side, other] = a ? ([a, 'a', 'b'] as const) : ([b, 'b', 'a'] as const);
	const [before, after] = [texts(base?.entry), texts(kept?.entry)];
	const goneFrom = base ?? {path: conflict.path};
	if (!base || !kept || before === undefined || after === undefined) {
		return [
			{side, path: kept?.path ?? conflict.path},
			{side: other, path: goneFrom.path, removed: true},
		];
	}

	const hunk = hunksOf(before, after)[0] ?? {oldLine: 1, oldCount: 1, newLine: 1, newCount: 1};
	const from = {path: base.path, lines: before};
	const gone = lineOf(other, from, Math.min(hunk.oldLine, before.length));
	const changed = changedLine(hunk, from, {side, path: kept.path, lines: after});
	return [changed, {...gone, removed: true as const}].toSorted((one, two) =>
		one.side < two.side ? -1 : 1,
	);
};

/** Returns a side's entry as a whole: the target of a link, the commit of a submodule, the first line of a text. */
export const wholeEntry = (side: 'a' | 'b', placed: Placed, texts: Texts): Evidence => {
	const {path, entry} = placed;
	const lines = texts(entry);
	switch (entry.mode) {
		case symlinkMode:
			return {side, path, line: 1, text: cut(`link to ${lines?.join(' ') ?? '?'}`)};
		case submoduleMode:
			return {side, path, text: `Subproject commit ${entry.oid}`};
		default:
			return lines === undefined ? {side, path} : lineOf(side, {path, lines}, 1);
	}
};

/** A text, and its path on that side. */
export type PlacedText = {readonly path: string; readonly lines: readonly string[]};

/** Returns one line of a side with its section. */
const lineOf = (side: 'a' | 'b', {path, lines}: PlacedText, line: number): Evidence => {
	const section = sectionAt(lines, line, path);
	const text = cut((lines[line - 1] ?? '').replace(/\r$/, ''));
	return defined({side, path, line, text, section});
};

/** Returns the first line that a hunk wrote or, if it only removed lines, the first of those. */
export const changedLine = (
	hunk: Hunk,
	from: PlacedText,
	to: PlacedText & {readonly side: 'a' | 'b'},
): Evidence => {
	if (hunk.newCount === 0) {
		return {...lineOf(to.side, from, hunk.oldLine), removed: true};
	}

	const written = to.lines.slice(hunk.newLine - 1, hunk.newLine - 1 + hunk.newCount);
	const first = Math.max(
		0,
		written.findIndex(line => line.trim() !== ''),
	);
	return lineOf(to.side, to, hunk.newLine + first);
};

/** Returns the first line that a side changed in a file; nothing if either version is no text. */
export const firstChange = (
	{side, path}: Pick<Evidence, 'side' | 'path'>,
	[before, after]: readonly [Entry | undefined, Entry | undefined],
	texts: Texts,
): Evidence | undefined => {
	const [from, to] = [texts(before), texts(after)];
	const [hunk] = from && to ? hunksOf(from, to) : [];
	return from && to && hunk
		? changedLine(hunk, {path, lines: from}, {side, path, lines: to})
		: undefined;
};

/** Maximum number of collisions in the evidence; above it the file is looked at as a whole. */
const mostCollisions = 50;

const cut = (text: string): string =>
	text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;

const longestLine = 300;
