/** A conflict between markers: the text of each side and of their base. */
export type MarkedHunk = {
	readonly left: string;
	readonly base: string;
	readonly right: string;
	/** Text as git wrote it, including the marks. */
	readonly marked: string;
};

/** A part of a text that git merged: resolved lines, or a conflict. */
export type Segment =
	| {readonly kind: 'same'; readonly text: string}
	| {readonly kind: 'hunk'; readonly hunk: MarkedHunk};

/**
Reads a text with diff3 marks of a given length. Marks that don't form a whole conflict are kept as text.

A text is a string with one character per byte, so that any content is preserved.
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

/** Returns the text with each conflict as resolved, or unchanged if it is not; without any resolution the inverse of `readMarked`. */
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

/** Returns lines including their newlines. */
export const wholeLines = (text: string): readonly string[] =>
	text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const sameText = (text: string): readonly Segment[] => (text === '' ? [] : [{kind: 'same', text}]);

type Found = {readonly hunk: MarkedHunk; readonly end: number};

/** The four marks of a conflict, in order. */
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

/** Returns the mark of a line; git writes nothing after the middle one, and names after the others. */
const signOf = (line = '', markerSize: number): (typeof signs)[number] | undefined =>
	signs.find(
		sign =>
			line.startsWith(sign.repeat(markerSize)) &&
			/^(?:\r?\n|\r?$| )/.test(line.slice(markerSize)) &&
			(sign !== '=' || line.slice(markerSize).trim() === ''),
	);

/** Whole files of both sides and their base. */
export type Files = Readonly<Record<'left' | 'base' | 'right', string>>;

/**
Returns a marked text with the last line of each side as in its file.

Git adds a newline to each line between marks, even to a last line of a file without one. Only a conflict at the end of the text can contain such a line.
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

/** Returns the newline of a conflict: that of its marks, which git writes like the lines around them. */
export const lineEndOf = ({marked}: MarkedHunk): string =>
	(wholeLines(marked)[0] ?? '').endsWith('\r\n') ? '\r\n' : '\n';

/** Returns two texts joined, with a newline between them if necessary. */
export const joined = (first: string, second: string, lineEnd: string): string =>
	first === '' || second === '' || first.endsWith('\n') ? first + second : first + lineEnd + second;
