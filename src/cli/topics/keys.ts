import {cellsOf, isTableRule} from '../../lib/text/markdown-table.ts';
import {actions, keysTable} from '../../tui/keys.ts';

/** Returns the default keys of the screen, in columns. */
export const keysText = (): string =>
	`${inColumns(keysTable(actions))}\n\nUnder "keys:" in the config, a name gives its action another key: "look: w".`;

/** Returns the rows of a Markdown table as aligned columns. */
const inColumns = (table: string): string => {
	const rows = table
		.split('\n')
		.filter(line => !isTableRule(line))
		.map(line => cellsOf(line).map(cell => cell.replaceAll('`', '')));
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map(row => row[column]?.length ?? 0)),
	);
	return rows
		.map(row =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
};
