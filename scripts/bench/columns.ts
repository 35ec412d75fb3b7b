/** Prints rows below a head, with the first column left-aligned and the others right-aligned. */
export const printColumns = (
	head: readonly string[],
	rows: readonly (readonly string[])[],
): void => {
	const widths = head.map((_, column) =>
		Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0)),
	);
	for (const row of [head, ...rows]) {
		const cells = row.map((text, column) =>
			column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
		);
		console.log(cells.join('   '));
	}
};
