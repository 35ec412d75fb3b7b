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

/** The most of one text that is laid out; what is longer is cut and says so. */
const maximumLength = 20_000;

/** Texts as they were wrapped last; there are as many as two agents' words may be. */
const known = new Map<string, readonly string[]>();
const maximumKnown = 2000;

/**
Returns the text, made harmless, as lines of at most that many columns.

Wrapping takes long for some thousand lines, and they are asked for again with each key and each piece that is said.
*/
export const wrapped = (text: string, columns: number): readonly string[] => {
	const key = `${columns} ${text}`;
	const before = known.get(key);
	if (before === undefined && known.size >= maximumKnown) {
		known.clear();
	}

	const lines = before ?? wrap(text, columns);
	known.set(key, lines);
	return lines;
};

const wrap = (text: string, columns: number): readonly string[] => {
	const whole =
		text.length <= maximumLength
			? text
			: `${text.slice(0, maximumLength)} … and ${text.length - maximumLength} more characters, not shown here`;
	return wrapAnsi(sanitize(whole, {lines: true}), Math.max(1, columns), {hard: true}).split('\n');
};
