import exactWidth, {type Options} from 'string-width';

/** Matches colours and weights, which have no width. */
const styles = /\u001B\[[\d;:]*m/g;

/** Matches characters that are one column wide and never join with a neighbour: Latin, the usual punctuation and arrows, lines, blocks, ticks, braille. */
const narrow =
	/^[ -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2039\u203A\u2139\u2190-\u21FF\u2200-\u22FF\u23CE\u23F8\u240D\u241B\u2421\u2500-\u25FC\u2605\u26A0\u270E\u2713\u2714\u2717\u2718\u276F\u2800-\u28FF]*$/;

/**
Returns the width of a text in columns, like the library `string-width`.

It replaces that library in the bundle: the first use of its regular expression for emoji costs more than the rest of a first frame, and hardly any text needs it.
*/
const stringWidth = (text: string, options: Options = {}): number => {
	if (typeof text !== 'string' || options.ambiguousIsNarrow === false) {
		return exactWidth(text, options);
	}

	const shown =
		options.countAnsiEscapeCodes === true || !text.includes('\u001B')
			? text
			: text.replaceAll(styles, '');
	return narrow.test(shown) ? shown.length : exactWidth(text, options);
};

export default stringWidth;
