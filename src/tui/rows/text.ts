import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import {graphemes, sanitize} from '../../lib/text/sanitize.ts';
import {dropOldest} from '../../lib/values.ts';

/** Returns the width of a text in columns, which differs from its number of characters. */
export const widthOf = (text: string): number => stringWidth(text);

/**
Returns the text on one line, sanitized, and cut to `columns`.

An ellipsis marks a cut, so that a part is not taken for the whole.
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

	return columns <= 0 ? '' : kept.endsWith('…') ? kept : `${kept}…`;
};

/** Returns the text cut or padded with spaces to exactly `columns`. */
export const padded = (text: string, columns: number): string => {
	const shown = cut(text, columns);
	return shown + ' '.repeat(Math.max(0, columns - widthOf(shown)));
};

/**
Returns a function that caches its result for each text, for the last width only; above a maximum number of texts, the oldest one is dropped.

A transcript is laid out again with each new line, and nearly all its lines are unchanged. The text alone is the key: JavaScript caches the hash of a string, but would compute that of a key of text and width each time. Only the oldest text is dropped, so that no frame has to lay out all of them again.
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
		dropOldest(known, most);
		return value;
	};
};

/** Maximum length of a text that is laid out; a longer one is cut and says so. */
const maximumLength = 20_000;

/** Returns the text, sanitized, as lines of at most `columns`; cached for the lines of two transcripts. */
export const wrapped = oncePerText(2000, (text, columns: number): readonly string[] => {
	const whole =
		text.length <= maximumLength
			? text
			: `${text.slice(0, maximumLength)} … and ${text.length - maximumLength} more characters, not shown here`;
	return wrapAnsi(sanitize(whole, {lines: true}), Math.max(1, columns), {hard: true}).split('\n');
});
