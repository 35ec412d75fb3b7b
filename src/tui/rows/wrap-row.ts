import {graphemes, sanitize} from '../../lib/text/sanitize.ts';
import {type Row, type Span, sideBySide, span} from './row.ts';
import {widthOf} from './text.ts';

/** Prefix of a row that continues the one above. */
export const goesOn = '↳ ';

/**
Wraps a row into rows of at most `columns` without losing anything; continuing rows begin with `↳`.

It breaks between any two characters and keeps spaces: unlike in prose, each of them may matter.
*/
export const wrapRow = (cells: Row, columns: number): readonly Row[] => {
	const width = Math.max(columns, markColumns + 2);
	const rows: Span[][] = [[]];
	let used = 0;
	for (const {text, tone} of cells) {
		let kept = '';
		for (const {piece, cells} of piecesOf(sanitize(text), width - used, width - markColumns)) {
			if (used + cells > width) {
				rows.at(-1)?.push(span(kept, tone));
				rows.push([span(goesOn, 'dim')]);
				kept = '';
				used = markColumns;
			}

			kept += piece;
			used += cells;
		}

		if (kept !== '') {
			rows.at(-1)?.push(span(kept, tone));
		}
	}

	return rows;
};

const markColumns = goesOn.length;

/** Returns the number of rows for characters that are one column wide. */
export const rowCountOf = (characters: number, columns: number): number => {
	const width = Math.max(columns, markColumns + 2);
	return characters <= width ? 1 : 1 + Math.ceil((characters - width) / (width - markColumns));
};

type Piece = {readonly piece: string; readonly cells: number};

/** Splits a text into pieces, the first for the rest of the row, further ones for a row each; only text that is not ASCII is split by character. */
const piecesOf = (text: string, room: number, columns: number): Iterable<Piece> => {
	if (isAscii.test(text)) {
		return partsOf(text, room, columns);
	}

	const cells = widthOf(text);
	return cells <= room ? [{piece: text, cells}] : charactersOf(text);
};

const isAscii = /^[\x20-\x7e]*$/;
function* partsOf(text: string, room: number, columns: number): Generator<Piece> {
	for (let [from, end] = [0, room]; from < text.length; [from, end] = [end, end + columns]) {
		const piece = text.slice(from, end);
		yield {piece, cells: piece.length};
	}
}

function* charactersOf(text: string): Generator<Piece> {
	for (const {segment} of graphemes(text)) {
		yield {piece: segment, cells: widthOf(segment)};
	}
}

/** Returns the texts of the rows for such characters. */
export const wrapPlain = (text: string, columns: number): readonly string[] => {
	const width = Math.max(columns, markColumns + 2);
	const rows = [text.length <= width ? text : text.slice(0, width)];
	for (let from = width; from < text.length; from += width - markColumns) {
		rows.push(goesOn + text.slice(from, from + width - markColumns));
	}

	return rows;
};

/** Returns blocks of rows side by side, each of `columns`, with a line between them. */
export const beside = (blocks: readonly (readonly Row[])[], columns: number): readonly Row[] =>
	sideBySide(
		blocks.map(rows => ({rows, columns})),
		[span(' │ ', 'dim')],
	);

export const columnsBeside = (blocks: number, columns: number): number =>
	Math.floor((columns - 3 * (blocks - 1)) / blocks);
