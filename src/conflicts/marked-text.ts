/** A conflict between markers: the text of each side and of their base. */
export type MarkedHunk = {
	readonly left: string;
	readonly base: string;
	readonly right: string;
	/** As git wrote it, marks included. */
	readonly marked: string;
};

/** A part of a text that git merged: lines that are settled, or a conflict. */
export type Segment =
	| {readonly kind: 'same'; readonly text: string}
	| {readonly kind: 'hunk'; readonly hunk: MarkedHunk};

/**
Reads a text with diff3 marks of that many characters. Marks that are not a whole conflict stay what they are, text.

A text is a string with a character for each byte, so that whatever is in a file comes out of it again.
*/
export const readMarked = (text: string, markerSize: number): readonly Segment[] => {
	const segments: Segment[] = [];
	const lines = wholeLines(text);
	let settled = '';
	for (let at = 0; at < lines.length; ) {
		const found = hunkAt(lines, at, markerSize);
		if (found === undefined) {
			settled += lines[at];
			at += 1;
			continue;
		}

		segments.push(...sameText(settled), {kind: 'hunk', hunk: found.hunk});
		settled = '';
		at = found.end;
	}

	return [...segments, ...sameText(settled)];
};

/** Returns the text with each conflict as it was settled, and as it is where it was not; the inverse of `readMarked` where none was. */
export const writeMarked = (
	segments: readonly Segment[],
	settled: (hunk: number) => string | undefined,
): string => {
	let number = 0;
	return segments
		.map(segment => {
			if (segment.kind === 'same') {
				return segment.text;
			}

			const text = settled(number) ?? segment.hunk.marked;
			number += 1;
			return text;
		})
		.join('');
};

/** Returns the conflicts of a text, in order. */
export const markedHunks = (segments: readonly Segment[]): readonly MarkedHunk[] =>
	segments.flatMap(segment => (segment.kind === 'hunk' ? [segment.hunk] : []));

/** Returns lines with their ends. */
export const wholeLines = (text: string): readonly string[] =>
	text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const sameText = (text: string): readonly Segment[] => (text === '' ? [] : [{kind: 'same', text}]);

type Found = {readonly hunk: MarkedHunk; readonly end: number};

/** The four marks of a conflict, in their order. */
const signs = ['<', '|', '=', '>'] as const;

const hunkAt = (lines: readonly string[], start: number, markerSize: number): Found | undefined => {
	if (signOf(lines[start], markerSize) !== '<') {
		return undefined;
	}

	const marks = [start];
	for (let at = start + 1; marks.length < signs.length && at < lines.length; at++) {
		const sign = signOf(lines[at], markerSize);
		if (sign !== undefined && sign !== signs[marks.length]) {
			return undefined;
		}

		marks.push(...(sign === undefined ? [] : [at]));
	}

	const [left = 0, base = 0, right = 0, last] = marks;
	if (last === undefined) {
		return undefined;
	}

	const between = (from: number, to: number) => lines.slice(from + 1, to).join('');
	return {
		hunk: {
			left: between(left, base),
			base: between(base, right),
			right: between(right, last),
			marked: lines.slice(start, last + 1).join(''),
		},
		end: last + 1,
	};
};

/** Returns which mark a line is; behind the middle one git writes nothing, and names behind the others. */
const signOf = (line = '', markerSize: number): (typeof signs)[number] | undefined =>
	signs.find(
		sign =>
			line.startsWith(sign.repeat(markerSize)) &&
			/^(?:\r?\n|\r?$| )/.test(line.slice(markerSize)) &&
			(sign !== '=' || line.slice(markerSize).trim() === ''),
	);

/** The whole files of both sides and their base. */
export type Files = Readonly<Record<'left' | 'base' | 'right', string>>;

/**
Returns a marked text with the last line of each side as it is in its file.

Git ends each line between marks, also the one that is the last of its file and has no end there. Only a conflict at the end of the text can hold such a line.
*/
export const withLastLines = (segments: readonly Segment[], files: Files): readonly Segment[] => {
	const last = segments.at(-1);
	if (last?.kind !== 'hunk') {
		return segments;
	}

	const {left, base, right, marked} = last.hunk;
	const hunk: MarkedHunk = {
		left: asInFile(left, files.left),
		base: asInFile(base, files.base),
		right: asInFile(right, files.right),
		marked,
	};
	return [...segments.slice(0, -1), {kind: 'hunk', hunk}];
};

const asInFile = (text: string, file: string): string =>
	file === '' || text === '' || file.endsWith('\n')
		? text
		: (['\r\n', '\n']
				.filter(end => text.endsWith(end))
				.map(end => text.slice(0, -end.length))
				.find(bare => file.endsWith(wholeLines(bare).at(-1) ?? '')) ?? text);

/** Returns how lines end where a conflict is: as its marks do, which git writes like the lines around them. */
export const lineEndOf = ({marked}: MarkedHunk): string =>
	(wholeLines(marked)[0] ?? '').endsWith('\r\n') ? '\r\n' : '\n';

/** Returns one text behind the other, so that no two lines become one. */
export const joined = (first: string, second: string, lineEnd: string): string =>
	first === '' || second === '' || first.endsWith('\n') ? first + second : first + lineEnd + second;
