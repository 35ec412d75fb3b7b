/** Emoji, including modifiers, and other symbols, but not line-drawing characters. */
const SYMBOLS =
	'(?:(?![─━═])\\p{So}|[→✓✗×»]|[0-9#*]\\uFE0F?\\u20E3|\\p{Emoji_Modifier}|[\\uFE0F\\u200D]){1,16}';

const BULLETS = '[-*+•◦▪‣]|\\d{1,3}[.)]|#{1,6}';

/** Matches indentation, quote marks, list bullets, headings and symbols, which models put before their words. */
const DECORATION = new RegExp(
	`^(?:[\\s\\u200B\\u2060\\uFEFF>]|(?:${BULLETS}|${SYMBOLS})(?=\\s))*`,
	'u',
);

const SYMBOLS_BEFORE_WORDS = new RegExp(`^([#*_ -]{0,8})${SYMBOLS}\\s+`, 'u');

/** Returns whether a line begins with a letter, or a mark that is no decoration, like nearly all lines here. */
const isBare = (code: number): boolean => code >= 0x41 && code <= 0x7e;

const EMPHASIS = /^(?:\*{1,3}|_{1,3}|~~)(?=\S)/;

/** Returns the line without decoration before its words, and without trailing space. */
export const undecorated = (line: string): string => {
	const isDecorated = !isBare(line.charCodeAt(0));
	const length = isDecorated ? (DECORATION.exec(line)?.[0].length ?? 0) : 0;
	return line.slice(length).trimEnd();
};

/** Returns a heading without the emoji before its words: `## ✅ Tests` is `## Tests`. */
export const withoutSymbols = (heading: string): string =>
	heading.replace(SYMBOLS_BEFORE_WORDS, '$1');

/** Returns an undecorated line without the emphasis at its start, and that emphasis. */
export const unemphasized = (text: string): {readonly text: string; readonly emphasis: string} => {
	const emphasis = EMPHASIS.exec(text)?.[0] ?? '';
	return {text: text.slice(emphasis.length), emphasis};
};

/** Returns the quote depth of a line: `> > text` has depth 2. */
export const quoteDepth = (line: string): number =>
	(/^(?:\s*>)*/.exec(line)?.[0] ?? '').replaceAll(/\s/g, '').length;

/** Removes up to `depth` quote marks from a line, each with one space after it. */
export const unquoted = (line: string, depth: number): string => {
	let from = 0;
	for (let left = depth; left > 0; left -= 1) {
		const mark = /^ {0,3}> ?/.exec(line.slice(from, from + 5))?.[0];
		if (mark === undefined) {
			break;
		}

		from += mark.length;
	}

	return line.slice(from);
};

/** Returns the character of a rule, if a line is one: at least three of one of `═ = - ─ ━ —`. */
export const ruleOf = (text: string): string | undefined => {
	const first = text.charAt(0);
	return text.length >= 3 && '═=-─━—'.includes(first) && text === first.repeat(text.length)
		? first
		: undefined;
};

/** A marker in square brackets, and the rest of its line. */
export type BracketMarker = {
	readonly type: 'open' | 'close';
	readonly name: string;
	readonly rest: string;
};

/** Matches a marker, with bounded repetitions, so that no line makes it slow. */
const BRACKETED = /^\\?\[ {0,8}(\/?) {0,8}([A-Za-z][A-Za-z _\\-]{0,40})\]/;

/** Reads a marker at the start of a line, after decoration, in any case and with spaces or dashes for `_`: `**[ stop work ]**` counts, too, and so does `\[STOP\_WORK\]`, escaped for Markdown. A marker in the middle of a line is a mention. */
export const bracketMarkerOf = (line: string): BracketMarker | undefined => {
	const {text} = unemphasized(undecorated(line));
	const [whole = '', slash, name = ''] = BRACKETED.exec(text) ?? [];
	if (whole === '') {
		return undefined;
	}

	return {
		type: slash === '/' ? 'close' : 'open',
		name: markerName(name),
		rest: text
			.slice(whole.length)
			.replace(/^[*_~:]{1,3}/, '')
			.trim(),
	};
};

/** Returns a line without the closing marker at its end, if it has one. */
export const withoutCloser = (line: string, name: string): string | undefined => {
	const text = withoutTrailingEmphasis(line);
	const at = text.lastIndexOf('[');
	const marker = at === -1 ? undefined : bracketMarkerOf(text.slice(at));
	return marker?.type === 'close' && marker.name === name && marker.rest === ''
		? text.slice(0, at)
		: undefined;
};

/** A label in capitals and its value: `**CREATED:** src/x.ts`. */
export type LabelledText = {readonly label: string; readonly value: string};

const LABEL = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)([*_~]{1,3})?:([*_~]{1,3}(?=\s|$))?/;

/** Reads a label at the start of an undecorated line. Emphasis and code marks around the whole value are removed. */
export const labelOf = (undecoratedLine: string): LabelledText | undefined => {
	const {text, emphasis} = unemphasized(undecoratedLine);
	const [whole, label = '', before, after] = LABEL.exec(text) ?? [];
	if (whole === undefined) {
		return undefined;
	}

	const value = text.slice(whole.length).trim();
	const isOpen = emphasis !== '' && before === undefined && after === undefined;
	return {
		label,
		value: uncoded(isOpen && value.endsWith(emphasis) ? value.slice(0, -emphasis.length) : value),
	};
};

/** Returns the text without the emphasis at its end. */
export const withoutTrailingEmphasis = (line: string): string =>
	line
		.trimEnd()
		.replace(/[*_~]{1,3}$/, '')
		.trimEnd();

const uncoded = (value: string): string => /^`([^`]+)`$/.exec(value)?.[1] ?? value;

const markerName = (name: string): string =>
	name.replaceAll('\\', '').trim().toUpperCase().replaceAll(/[ -]+/g, '_');
