import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import {graphemes, sanitize} from '../../lib/text/sanitize.ts';

/** Returns how many columns a text takes, which is not how many characters it has. */
export const widthOf = (text: string): number => stringWidth(text);

/**
Returns the text on one line, made harmless, and cut to that many columns.

A cut is shown by an ellipsis, so that nobody takes a part for the whole.
*/
export const cut = (text: string, columns: number): string => {
	const safe = sanitize(text);
	if (widthOf(safe) <= columns) {
		return safe;
	}

	let kept = '';
	let width = 0;
	for (const {segment} of graphemes(safe)) {
		width += widthOf(segment);
		if (width > columns - 1) {
			break;
		}

		kept += segment;
	}

	return columns > 0 ? `${kept}…` : '';
};

/** Returns the text cut or filled up with spaces to exactly that many columns. */
export const padded = (text: string, columns: number): string => {
	const shown = cut(text, columns);
	return shown + ' '.repeat(Math.max(0, columns - widthOf(shown)));
};

/**
Returns a function that computes something once for each text and keeps the result of the last width; it forgets the oldest of more texts than the given number.

A transcript is laid out again with each line that arrives, and nearly all of its lines are the same as before. The text alone is the key: JavaScript keeps the hash of a string, but must compute that of a key made of text and width each time. Only the oldest text is forgotten, so that no frame has to lay out all of them again.
*/
export const oncePerText = <Value, Width extends readonly [columns?: number]>(
	most: number,
	compute: (text: string, ...width: Width) => Value,
): ((text: string, ...width: Width) => Value) => {
	const known = new Map<string, {readonly columns: number | undefined; readonly value: Value}>();
	return (text, ...width) => {
		const [columns] = width;
		const before = known.get(text);
		if (before !== undefined && before.columns === columns) {
			return before.value;
		}

		const value = compute(text, ...width);
		known.set(text, {columns, value});
		if (known.size > most) {
			const [oldest = text] = known.keys();
			known.delete(oldest);
		}

		return value;
	};
};

/** The most of one text that is laid out; what is longer is cut and says so. */
const maximumLength = 20_000;

/** Returns the text, made harmless, as lines of at most that many columns; the lines of two transcripts are kept. */
export const wrapped = oncePerText(2000, (text, columns: number): readonly string[] => {
	const whole =
		text.length <= maximumLength
			? text
			: `${text.slice(0, maximumLength)} … and ${text.length - maximumLength} more characters, not shown here`;
	return wrapAnsi(sanitize(whole, {lines: true}), Math.max(1, columns), {hard: true}).split('\n');
});
