export type SanitizeOptions = {
	/** Keeps line ends, and writes a tab as spaces. Without it the result is a single line. */
	readonly lines?: boolean;
	/**
	Keeps colours and weights, but not concealment, and resets them at the end of every line.

	Colours can still make text hard to see, so it is not for what a person decides on.
	*/
	readonly colors?: boolean;
};

/**
Returns the text in a form that can do nothing to a terminal but show itself.

Escape sequences are dropped, other control characters become U+FFFD, and characters that show nothing or turn the direction of writing are spelled out. For every string that comes from an agent, a file name, a branch or another program. Takes time linear in the length of the text, whatever it holds.
*/
export const sanitize = (
	text: string,
	{lines = false, colors = false}: SanitizeOptions = {},
): string => {
	if (plain.test(text)) {
		return text;
	}

	let safe = '';
	let previous = '';
	let colored = false;
	const reset = () => {
		safe += colored ? '\x1b[0m' : '';
		colored = false;
	};

	for (let index = 0; index < text.length; ) {
		const sequence = readSequence(text, index);
		if (sequence !== undefined) {
			const kept = colors ? allowedColors(sequence.colors) : '';
			safe += kept;
			colored ||= kept !== '';
			index = sequence.end;
			continue;
		}

		const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
		const isLineEnd = character === '\n' || text.startsWith('\r\n', index);
		if (lines && isLineEnd) {
			reset();
			safe += '\n';
			index += character === '\n' ? 1 : 2;
		} else {
			safe += lines && character === '\t' ? '    ' : show(character, previous);
			index += character.length;
		}

		previous = character;
	}

	reset();
	return safe;
};

const plain = /^[\x20-\x7e]*$/;

/** A whole escape sequence. One that is never closed is none: its text is shown, as nothing may be hidden by it. */
type Sequence = {
	readonly end: number;
	/** Parameters of a sequence that sets colours and weights. */
	readonly colors: string | undefined;
};

const readSequence = (text: string, index: number): Sequence | undefined => {
	const code = text.charCodeAt(index);
	if (code === 0x1b) {
		return readEscape(text, index + 1);
	}

	if (code === 0x9b) {
		return readControl(text, index + 1);
	}

	return c1Strings.has(code) ? readString(text, index + 1) : undefined;
};

/** DCS, SOS, OSC, PM and APC as single characters. */
const c1Strings: ReadonlySet<number> = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

const readEscape = (text: string, from: number): Sequence | undefined => {
	const next = text.charAt(from);
	if (next === '[') {
		return readControl(text, from + 1);
	}

	if (next !== '' && 'PX]^_'.includes(next)) {
		return readString(text, from + 1);
	}

	const end = skip(text, from, 0x20, 0x2f);
	return isBetween(text, end, 0x30, 0x7e) ? {end: end + 1, colors: undefined} : undefined;
};

/** Reads what follows a CSI: parameters, intermediate characters and a final one. */
const readControl = (text: string, from: number): Sequence | undefined => {
	const parametersEnd = skip(text, from, 0x30, 0x3f);
	const end = skip(text, parametersEnd, 0x20, 0x2f);
	if (!isBetween(text, end, 0x40, 0x7e)) {
		return undefined;
	}

	const setsColors = end === parametersEnd && text[end] === 'm';
	return {end: end + 1, colors: setsColors ? text.slice(from, parametersEnd) : undefined};
};

/**
Reads what follows an OSC, DCS and the like, up to its terminator.

No other control character may stand in it. That is stricter than terminals are, and bounds the work: nothing is looked at again from a later introducer.
*/
const readString = (text: string, from: number): Sequence | undefined => {
	let end = from;
	while (end < text.length && !isControl(text.charCodeAt(end))) {
		end++;
	}

	if (text[end] === '\x07' || text[end] === '\x9c') {
		return {end: end + 1, colors: undefined};
	}

	return text.startsWith('\x1b\\', end) ? {end: end + 2, colors: undefined} : undefined;
};

const skip = (text: string, from: number, low: number, high: number): number => {
	let end = from;
	while (isBetween(text, end, low, high)) {
		end++;
	}

	return end;
};

const isBetween = (text: string, index: number, low: number, high: number): boolean => {
	const code = text.charCodeAt(index);
	return code >= low && code <= high;
};

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code <= 0x9f);

/** Returns the sequence when each of its parameters is a colour or a weight, else nothing. */
const allowedColors = (parameters: string | undefined): string =>
	parameters !== undefined && colorParameters.test(parameters) ? `\x1b[${parameters}m` : '';

/** Bold to reverse but not blinking or concealed, the sixteen colours, the palette, and red, green, blue. */
const color =
	'(?:0?[0123479]|2[234579]|[349][0-79]|10[0-7]|[34]8;5;\\d{1,3}|[34]8;2(?:;\\d{1,3}){3})?';
const colorParameters = new RegExp(`^${color}(?:;${color}){0,15}$`);

const show = (character: string, previous: string): string => {
	const code = character.codePointAt(0) ?? 0;
	if (isControl(code) || (code >= 0xd800 && code <= 0xdfff)) {
		return '\ufffd';
	}

	if (!invisible.test(character) || (emojiStyle.test(character) && pictograph.test(previous))) {
		return character;
	}

	return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

/** Zero width, tags, fillers, direction, annotation, and the line ends that only some programs know. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
const emojiStyle = /[\ufe0e\ufe0f]/;
const pictograph = /\p{Extended_Pictographic}/u;
