/** Returns the cells of a line of a Markdown table, without the bars around them; `\|` is a bar inside a cell. */
export const cellsOf = (line: string): readonly string[] => {
	const inner = line
		.trim()
		.replace(/^\|/, '')
		.replace(/(?<!\\)\|$/, '');
	return inner.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'));
};

/** Whether a line is the rule between the head and the rows of a table. */
export const isTableRule = (line: string): boolean =>
	/^\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?$/.test(line.trim()) && line.includes('|');

/** Whether a line can be part of a table. */
export const isTableLine = (line: string): boolean => line.trimStart().startsWith('|');

/** Writes a table that `cellsOf` reads back. */
export const printTable = (rows: readonly (readonly string[])[]): string => {
	const [head = [], ...others] = rows.map(cells => cells.map(cell => cell.replaceAll('|', '\\|')));
	const lines = [head, head.map(() => '---'), ...others];
	return lines.map(cells => `| ${cells.join(' | ')} |\n`).join('');
};
