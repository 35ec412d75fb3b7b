import {cutRow, type Row, row, widthOfRow} from '../rows/row.ts';
import {widthOf} from '../rows/text.ts';
import {wrapRow} from '../rows/wrap-row.ts';

/** The most rows of one choice; a longer one is cut, and its view tells it whole. */
const maximumRows = 3;

/**
Returns a choice as the rows that it takes: an option of a question may be a whole sentence, each word of which matters.

What stands beside it is cut to one row, so that one choice doesn't push another out of sight.
*/
export const choiceRows = (choice: Row, beside: Row, columns: number): readonly Row[] => {
	const rows = cutRows(wrapRow(choice, columns), columns);
	const last = rows.at(-1) ?? [];
	return [...rows.slice(0, -1), [...last, ...cutRow(beside, columns - widthOfRow(last))]];
};

/** A full row may leave one column free, so it is cut by two to end in an ellipsis. */
const cutRows = (rows: readonly Row[], columns: number): readonly Row[] =>
	rows.length <= maximumRows
		? rows
		: [
				...rows.slice(0, maximumRows - 1),
				...rows.slice(maximumRows - 1, maximumRows).map(cells => cutRow(cells, columns - 2)),
			];

/** Columns of the cursor, the key and the mark before a choice. */
const leadColumns = 6;

/** Returns whether a choice takes more than one row. */
export const isLongChoice = (choice: string, columns: number): boolean =>
	widthOf(choice) > columns - leadColumns;

/** Returns how many rows the choices take. */
export const heightOfChoices = (
	choices: readonly {readonly choice: string}[],
	columns: number,
): number =>
	choices
		.map(({choice}) => choiceRows(row(`${' '.repeat(leadColumns)}${choice}`), [], columns).length)
		.reduce((sum, rows) => sum + rows, 0);
