import {graphemes, sanitize} from '../../lib/text/sanitize.ts';
import {isSame, oncePer} from '../../lib/values.ts';
import type {tones} from '../colors.ts';
import type {CellImage} from '../terminal/images.ts';
import {cut, widthOf, wrapped} from './text.ts';

/**
Meaning of a piece of text; the theme defines its look.

- `plain`, `dim` (secondary), `strong`, `heading`, `file` (first row of a file in a diff)
- `good`, `bad`, `warn` (needs a person), `info`
- `added`, `removed` and their changed words, `location` (place in a file)
- `comment`, `keyword`, `string`, `constant` (numbers, literals and types) of source code
- `selected` (current entry), `found` (search match), `key` (key to press)
*/
export type Tone = (typeof tones)[number];

export type Span = {
	readonly text: string;
	readonly tone: Tone;
	/** URL that a terminal opens from it. */
	readonly link?: string | undefined;
	/** Image that a terminal draws in place of the text. */
	readonly image?: CellImage;
};

/** One row of the screen. */
export type Row = readonly Span[];

/** Rows that may be made lazily; an array has them all. */
export type Rows = {
	readonly length: number;
	readonly slice: (from?: number, to?: number) => readonly Row[];
	/** Returns the text of each row, if that is cheaper than to make the rows. */
	readonly texts?: () => readonly string[];
};

export const span = (text: string, tone: Tone = 'plain'): Span => ({text, tone});

export const row = (text: string, tone: Tone = 'plain'): Row => [span(text, tone)];

export const blank: Row = [];

export const badge = (kind: string): Span => span(` ${kind.toUpperCase()} `, 'selected');

export const widthOfRow = (row: Row): number =>
	row.reduce((width, {text}) => width + widthOf(text), 0);

/** Returns a row cut to `columns`, with an ellipsis if it was cut. */
export const cutRow = (row: Row, columns: number): Row => {
	const safe = row.map(cell => (cell.image ? cell : {...cell, text: sanitize(cell.text)}));
	if (widthOfRow(safe) <= columns) {
		return row;
	}

	let left = columns;
	return safe.flatMap(cell => {
		const {text} = cell;
		// Even a span that just fits is cut for the ellipsis, since another span follows.
		const shown = widthOf(text) < left ? text : cut(`${text}  `, left);
		left -= widthOf(shown);
		return shown === '' ? [] : [{...cell, text: shown}];
	});
};

/** Returns exactly `height` rows from an offset on, with blank ones after the last. */
export const fitted = (rows: readonly Row[], height: number, offset = 0): readonly Row[] => {
	const shown = rows.slice(offset, offset + Math.max(0, height));
	return [...shown, ...Array.from({length: Math.max(0, height - shown.length)}, () => blank)];
};

const joined = new WeakMap<
	Rows,
	{readonly above: readonly Row[]; readonly below: readonly Row[]; readonly rows: Rows}
>();

/** Returns rows between others; the same object as long as those are the same, since it is the key of cached matches. */
export const between = (above: readonly Row[], rows: Rows, below: readonly Row[] = []): Rows => {
	const known = joined.get(rows);
	if (known !== undefined && isSame([known.above, known.below], [above, below])) {
		return known.rows;
	}

	const end = above.length + rows.length;
	const length = end + below.length;
	const all: Rows = {
		length,
		slice: (from = 0, to = length) => [
			...above.slice(from, to),
			...rows.slice(Math.max(0, from - above.length), Math.max(0, to - above.length)),
			...below.slice(Math.max(0, from - end), Math.max(0, to - end)),
		],
		texts: () => [...above.map(textOfRow), ...textsOf(rows), ...below.map(textOfRow)],
	};
	joined.set(rows, {above, below, rows: all});
	return all;
};

export const textsOf = oncePer(
	(rows: Rows): readonly string[] => rows.texts?.() ?? rows.slice().map(textOfRow),
);

export const textOfRow = (row: Row): string => row.map(({text}) => text).join('');

/** Returns blocks of rows side by side, each cut to its columns, with cells between them. */
export const sideBySide = (
	blocks: readonly {readonly rows: readonly Row[]; readonly columns: number}[],
	gap: Row = [],
): readonly Row[] => {
	const height = Math.max(0, ...blocks.map(({rows}) => rows.length));
	return Array.from({length: height}, (_, index) =>
		blocks.flatMap(({rows, columns}, place): Row => {
			const cells = cutRow(rows[index] ?? blank, columns);
			const free = Math.max(0, columns - widthOfRow(cells));
			return place === blocks.length - 1 ? cells : [...cells, span(' '.repeat(free)), ...gap];
		}),
	);
};

/**
Returns a horizontal rule between the rows above and below, with a name.

@param left Cells in the rule, from its left.
@param right Cells at its right end.
*/
export const ruleRow = (columns: number, left: Row = [], right: Row = []): Row => {
	const used = [...left, ...right].reduce((width, {text}) => width + widthOf(sanitize(text)), 0);
	const gaps = (left.length > 0 ? 3 : 0) + (right.length > 0 ? 3 : 0);
	return [
		...(left.length > 0 ? [span('─ ', 'dim'), ...left, span(' ', 'dim')] : []),
		span('─'.repeat(Math.max(0, columns - used - gaps)), 'dim'),
		...(right.length > 0 ? [span(' ', 'dim'), ...right, span(' ─', 'dim')] : []),
	];
};

export const paragraph = (text: string, columns: number, tone: Tone = 'plain'): readonly Row[] =>
	wrapped(text, columns).map(line => row(line, tone));

/** Returns rows under a heading, with an empty row after them; nothing for no rows. */
export const section = (heading: string, rows: readonly Row[]): readonly Row[] =>
	rows.length === 0 ? [] : [row(heading, 'heading'), ...rows, blank];

export const bullets = (
	texts: readonly string[],
	columns: number,
	tone: Tone = 'plain',
): readonly Row[] =>
	texts.flatMap(text =>
		wrapped(text, columns - 2).map(
			(line, index): Row => [span(index === 0 ? '• ' : '  ', 'dim'), span(line, tone)],
		),
	);

/** Returns `label  text`, the text wrapped beside its label; nothing without a text. */
export const fact = (
	label: string,
	text: string | undefined,
	columns: number,
	tone: Tone = 'plain',
): readonly Row[] =>
	text === undefined || text === ''
		? []
		: wrapped(text, columns - labelColumns).map(
				(line, index): Row => [
					span(`${(index === 0 ? label : '').padEnd(labelColumns - 1)} `, 'dim'),
					span(line, tone),
				],
			);

const labelColumns = 14;

/** Returns a line of a text field, with the cursor before a character, if it is in this line. */
export const writtenRow = (line: string, cursor: number | undefined): Row => {
	if (cursor === undefined) {
		return [span(line)];
	}

	const [first] = graphemes(line.slice(cursor));
	const under = first?.segment ?? ' ';
	return [
		span(line.slice(0, cursor)),
		span(under, 'selected'),
		span(line.slice(cursor + under.length)),
	];
};
