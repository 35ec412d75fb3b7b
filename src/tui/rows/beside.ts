import {sanitize} from '../../lib/text/sanitize.ts';
import {type Row, type Span, span} from './row.ts';
import {widthOf} from './text.ts';

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
const filledRow = (cells: Row, columns: number): Row => {
	const kept: Span[] = [];
	let left = columns;
	for (const {text, tone} of cells) {
		const safe = sanitize(text);
		const width = widthOf(safe);
		kept.push(span(width <= left ? safe : cutText(safe, left), tone));
		left -= Math.min(width, left);
	}

	return [...kept, span(' '.repeat(left))];
};

const cutText = (text: string, columns: number): string => {
	let kept = '';
	for (const character of text) {
		if (widthOf(kept + character) > columns) {
			break;
		}

		kept += character;
	}

	return kept + ' '.repeat(columns - widthOf(kept));
};
