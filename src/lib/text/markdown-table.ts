/** Returns the cells of a line of a Markdown table; `\|` is a bar inside a cell. */
export const cellsOf = (line: string): readonly string[] => partsOf(line).map(cellOf);

/** Returns the cells of a row in a table with that many columns. Surplus bars were not escaped: those in code spans are text, then those in the last column. */
export const rowOf = (line: string, columnCount: number): readonly string[] => {
	const cells: string[] = [];
	const parts = partsOf(line);
	let surplus = parts.length - columnCount;
	let isInCode = false;
	for (const part of parts) {
		if (surplus > 0 && (isInCode || cells.length === columnCount)) {
			surplus -= 1;
			cells.push(`${cells.pop() ?? ''}|${part}`);
		} else {
			isInCode = false;
			cells.push(part);
		}

		isInCode = isInCode !== hasOddMarks(part);
	}

	return cells.map(cellOf);
};

const partsOf = (line: string): readonly string[] =>
	line
		.trim()
		.replace(/^\|/, '')
		.replace(/(?<!\\)\|$/, '')
		.split(/(?<!\\)\|/);

const cellOf = (part: string): string => part.trim().replaceAll('\\|', '|');

const hasOddMarks = (part: string): boolean => part.split('`').length % 2 === 0;

/** Returns whether a line is the delimiter row of a table. */
export const isTableRule = (line: string): boolean =>
	/^\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?$/.test(line.trim()) && line.includes('|');

export const isTableLine = (line: string): boolean => line.trimStart().startsWith('|');

/** Formats a table that `cellsOf` can read. */
export const printTable = (rows: readonly (readonly string[])[]): string => {
	const [head = [], ...others] = rows.map(cells => cells.map(cell => cell.replaceAll('|', '\\|')));
	const lines = [head, head.map(() => '---'), ...others];
	return lines.map(cells => `| ${cells.join(' | ')} |\n`).join('');
};

/** Returns the rows of a table as lines with aligned columns. */
export const inColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
	const widthAt = (column: number): number =>
		Math.max(...rows.map(cells => cells[column]?.length ?? 0));
	return rows.map(cells =>
		cells
			.map((cell, column) => cell.padEnd(widthAt(column)))
			.join('  ')
			.trimEnd(),
	);
};
