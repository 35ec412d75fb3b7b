export type SanitizeOptions = {
	/** Keeps line ends, and converts a tab to spaces. Without it the result is a single line. */
	readonly lines?: boolean;
};

/**
Returns the text in a form that a terminal can only display.

Nothing is removed, since the person who decides might need it: control characters become their pictures (`␛`, `␍`), and characters that are invisible, change the writing direction or pile up on others are spelled out (`<U+202E>`). Use it for every string from an agent, a file name, a branch or another program. Takes linear time for any text.
*/
export const sanitize = (text: string, {lines = false}: SanitizeOptions = {}): string =>
	plain.test(text)
		? text
		: text.replaceAll(hiddenIn(lines), character =>
				lines ? (inLines[character] ?? shown(character)) : shown(character),
			);

/**
Returns the text without the colours that a program used.

Only whole sequences for colours and weights are removed; text that they would have hidden stays. For output of working agents and checks, never for text on which a person decides.
*/
export const withoutColors = (text: string): string =>
	text.includes('\x1b') ? text.replaceAll(/\x1b\[[\d;:]*m/g, '') : text;

const plain = /^[\x20-\x7e]*$/;

/** Zero width characters, tags, fillers, direction marks, annotations, what stands for an image, and line ends that only some programs recognize; an emoji may have a style. */
const invisible =
	'(?!(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f])[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Zl}\\p{Zp}\\ufff9-\\ufffb\\u{10eeee}]';

/** Combining marks that would attach to text drawn before, or are too many to be distinguished. */
const piled = '(?<![\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}])\\p{M}|(?<=\\p{M}{6})\\p{M}';

const control = '[\\p{Cc}\\p{Cs}]';
const hidden = `${control}|${invisible}|${piled}`;
const made = new Map<boolean, RegExp>();

/** Compiles a pattern at its first use. */
const hiddenIn = (lines: boolean): RegExp => {
	const pattern = made.get(lines) ?? new RegExp(lines ? `\\r\\n|${hidden}` : hidden, 'gu');
	made.set(lines, pattern);
	return pattern;
};

const inLines: Readonly<Record<string, string>> = {'\n': '\n', '\r\n': '\n', '\t': '    '};

const shown = (character: string): string => {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20) {
		return String.fromCodePoint(0x24_00 + code);
	}

	return code === 0x7f ? '␡' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

export const bytesText = (bytes: number): string => {
	const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
	const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
	const value = bytes / 2 ** (10 * power);
	return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
};

let segmenter: Intl.Segmenter | undefined;

/** Latin letters, common punctuation, arrows, lines and blocks: none of them combines with a neighbour. */
const apart = /^[ -\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u259f]*$/;

/**
Returns the characters of a text as people see them, each of which may have several code points.

Intl's tables are loaded at the first use: that takes longer than most of our commands.
*/
export const graphemes = (text: string): Iterable<Intl.SegmentData> => {
	if (apart.test(text)) {
		return Array.from(text, (segment, index) => ({segment, index, input: text}));
	}

	segmenter ??= new Intl.Segmenter();
	return segmenter.segment(text);
};
