import stringWidth from 'string-width';
import {graphemes, sanitize} from './sanitize.ts';

/** Stands before what others wrote. */
export const bar = '│ ';

export type QuotedBlockOptions = {
	/** Columns of the terminal; without them only the text's own line ends break it. */
	readonly columns?: number | undefined;
	/** What stands before the bar. */
	readonly indent: string;
};

/**
Returns what others wrote as rows that each begin with a bar.

A text could otherwise imitate whole lines of ours, by its own line ends or by blanks up to where the terminal breaks it.
*/
export const quotedBlock = (text: string, {columns, indent}: QuotedBlockOptions): string => {
	const room = Math.max(8, (columns ?? Number.POSITIVE_INFINITY) - indent.length - bar.length);
	return sanitize(text, {lines: true})
		.split('\n')
		.flatMap(line => broken(line, room))
		.map(row => `${indent}${bar}${row}`)
		.join('\n');
};

/** Returns a line of ours that holds what others wrote: what doesn't fit into its first row goes on behind bars. */
export const quotedBelow = (text: string, options: QuotedBlockOptions): string => {
	const {columns = Number.POSITIVE_INFINITY} = options;
	const [line = '', ...rest] = sanitize(text, {lines: true}).split('\n');
	const [first = '', ...below] = broken(line, columns);
	const tail = [...(below.length === 0 ? [] : [below.join('')]), ...rest];
	return [first, ...tail.map(part => quotedBlock(part, options))].join('\n');
};

const broken = (line: string, columns: number): readonly string[] => {
	if (stringWidth(line) <= columns) {
		return [line];
	}

	const rows = [''];
	let used = 0;
	for (const {segment} of graphemes(line)) {
		const width = stringWidth(segment);
		if (used + width > columns) {
			rows.push('');
			used = 0;
		}

		rows[rows.length - 1] += segment;
		used += width;
	}

	return rows;
};
