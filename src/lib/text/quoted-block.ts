import stringWidth from 'string-width';
import {graphemes, sanitize} from './sanitize.ts';

export const bar = '│ ';

export type QuotedBlockOptions = {
	/** Columns of the terminal; without them only line ends break rows. */
	readonly columns?: number | undefined;
	readonly indent: string;
};

/** Returns someone else's text as rows that each begin with a bar. Otherwise it could imitate our lines, with line ends or with blanks up to where the terminal wraps. */
export const quotedBlock = (text: string, {columns, indent}: QuotedBlockOptions): string => {
	const room = Math.max(8, (columns ?? Number.POSITIVE_INFINITY) - indent.length - bar.length);
	return sanitize(text, {lines: true})
		.split('\n')
		.flatMap(line => broken(line, room))
		.map(row => `${indent}${bar}${row}`)
		.join('\n');
};

/** Returns a line of ours that contains someone else's text; the overflow continues behind bars. */
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
