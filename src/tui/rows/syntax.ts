import {sanitize} from '../../lib/text/sanitize.ts';
import type {DiffLine} from './diff.ts';
import {firstIndex, heightOf, PlacedLine, withoutTabs} from './diff-layout.ts';
import type {Highlight, SyntaxToken} from './highlighter.ts';
import {type Row, type Span, span, type Tone} from './row.ts';

/**
Returns a row of a line with syntax highlighting.

Removed lines and changed words keep their tones: the change matters more than the syntax.

@param index Index of the row in the diff.
@param lines All lines of the file in the diff.
*/
export const withSyntax = (
	highlight: Highlight,
	lines: readonly PlacedLine[],
	placed: PlacedLine,
	index: number,
): Row => {
	const at = index - placed.rows[0];
	const [sign, ...text] = placed.cells[at] ?? [];
	if (sign === undefined || placed.line.kind === 'removed') {
		return placed.cells[at] ?? [];
	}

	const from = placed.cells.slice(0, at).reduce((sum, above) => sum + lengthOf(above.slice(1)), 0);
	return [sign, ...colored(text, tokensOf(highlight, lines, placed), from)];
};

const lengthOf = (cells: Row): number => cells.reduce((sum, {text}) => sum + text.length, 0);

const colouredRows = new WeakMap<
	readonly string[],
	{readonly columns: number; readonly path: string; readonly rows: readonly Row[]}
>();

/** Maximum number of lines that are highlighted: all of a hunk are laid out before the first is shown. */
const mostColoured = 400;

/**
Returns consecutive lines of a file as rows with syntax highlighting, if it is available.

@param source Text of the lines, the key under which the result is cached for the next key press.
*/
export const sourceRows = (
	highlight: Highlight | undefined,
	{path, source, columns}: Source,
	lines: (source: readonly string[]) => readonly DiffLine[],
): readonly Row[] => {
	const known = colouredRows.get(source);
	if (known?.columns === columns && known.path === path) {
		return known.rows;
	}

	const placed: PlacedLine[] = [];
	for (const line of lines(source)) {
		const at = placed.at(-1)?.rows[1] ?? 0;
		placed.push(new PlacedLine(path, line, [at, at + heightOf(line, columns)], columns));
	}

	if (highlight === undefined || placed.length > mostColoured) {
		return placed.flatMap(({cells}) => cells);
	}

	const rows = placed.flatMap(one =>
		one.cells.map((_, index) => withSyntax(highlight, placed, one, one.rows[0] + index)),
	);
	colouredRows.set(source, {columns, path, rows});
	return rows;
};

type Source = {
	readonly path: string;
	readonly source: readonly string[];
	readonly columns: number;
};

/** Splits cells at the ends of tokens. */
const colored = (cells: Row, tokens: readonly SyntaxToken[], from: number): Row => {
	let at = from;
	return cells.flatMap((cell): Row => {
		const start = at;
		at += cell.text.length;
		if (cell.tone !== 'plain' && cell.tone !== 'added') {
			return [cell];
		}

		const parts: Span[] = [];
		let done = start;
		const put = (end: number, tone: Tone): void => {
			if (end > done) {
				parts.push(span(cell.text.slice(done - start, end - start), tone));
				done = end;
			}
		};

		for (const token of tokens.filter(({from, end}) => end > start && from < at)) {
			put(Math.min(at, token.from), cell.tone);
			put(Math.min(at, token.end), token.tone);
		}

		put(at, cell.tone);
		return parts;
	});
};

const known = new WeakMap<PlacedLine, readonly SyntaxToken[]>();

/** Number of lines that are highlighted together: few enough for a frame, and enough for most comments of several lines. */
const blockLines = 100;

const tokensOf = (
	highlight: Highlight,
	lines: readonly PlacedLine[],
	placed: PlacedLine,
): readonly SyntaxToken[] => {
	const before = known.get(placed);
	if (before !== undefined) {
		return before;
	}

	const from = firstIndex(lines, ({rows: [, end]}) => end > placed.rows[0]);
	const block = blockAround(lines, lines.indexOf(placed, from)).filter(
		({line}) => line.kind !== 'removed',
	);
	const tokens = highlight(placed.path, block.map(shownText));
	for (const [index, one] of block.entries()) {
		known.set(one, tokens?.[index] ?? []);
	}

	return known.get(placed) ?? [];
};

/** Returns the consecutive lines around one: all of one hunk, without other rows between them. */
const blockAround = (lines: readonly PlacedLine[], at: number): readonly PlacedLine[] => {
	const first = at - (at % blockLines);
	const block = lines.slice(first, first + blockLines);
	const begins = block.map(
		({rows: [from]}, index) => index === 0 || from > (block[index - 1]?.rows[1] ?? 0),
	);
	const from = begins.lastIndexOf(true, at - first);
	const end = begins.indexOf(true, at - first + 1);
	return block.slice(from, end === -1 ? undefined : end);
};

/** Returns the text of a line in the form of its rows. */
const shownText = ({line}: PlacedLine): string => sanitize(withoutTabs(line.text));
