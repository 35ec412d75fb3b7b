/** A screen's size, in character cells. */
export type Size = {readonly columns: number; readonly rows: number};

/** The smallest screen that everything can be decided on. */
export const smallest: Size = {columns: 60, rows: 16};

export const isTooSmall = ({columns, rows}: Size): boolean =>
	columns < smallest.columns || rows < smallest.rows;
