import {cutRow, type Row, span, widthOfRow} from './row.ts';

/** Returns blocks of rows side by side, each in so many columns, with a line between them. */
export const beside = (blocks: readonly (readonly Row[])[], columns: number): readonly Row[] =>
	Array.from({length: Math.max(0, ...blocks.map(({length}) => length))}, (_, index): Row => {
		const [first = [], ...others] = blocks.map(block => filledRow(block[index] ?? [], columns));
		return [...first, ...others.flatMap(row => [span(' │ ', 'dim'), ...row])];
	});

/** Returns how many columns each of so many blocks has. */
export const columnsBeside = (blocks: number, columns: number): number =>
	Math.floor((columns - 3 * (blocks - 1)) / blocks);

/** Returns a row as exactly that many columns. */
const filledRow = (row: Row, columns: number): Row => {
	const shown = cutRow(row, columns);
	return [...shown, span(' '.repeat(columns - widthOfRow(shown)))];
};
