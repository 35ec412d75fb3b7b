/**
What the line from `from` to before `to` is for sure, judged by its first few bytes: words, or nothing at all.

Nearly all lines of a transcript are one or the other, and a reader that took each of them apart would spend its time on nothing else. So this errs on one side only: decoration is passed generously, and whatever could begin a signal, a fence or a rule is left to be read.
*/
export const plainlyIs = (
	bytes: Uint8Array,
	from: number,
	to: number,
): 'words' | 'blank' | undefined => {
	let at = from;
	let isBlank = true;
	while (at < to) {
		const kind = kindAt(bytes, at, to);
		if (kind === 'escape') {
			at = afterColour(bytes, at);
			if (at === -1) {
				return undefined;
			}
		} else if (kind === 'space' || kind === 'decoration') {
			isBlank &&= kind === 'space';
			at += lengthFrom(bytes[at] ?? 0);
		} else {
			return kind === 'words' || (kind !== 'unclear' && isWord(kind, bytes, at, to))
				? 'words'
				: undefined;
		}
	}

	return isBlank ? 'blank' : undefined;
};

type Start = 'capital' | 'mark' | 'tag';
type Kind = Start | 'words' | 'space' | 'decoration' | 'escape' | 'unclear';

const kindAt = (bytes: Uint8Array, at: number, to: number): Kind => {
	const first = bytes[at] ?? 0;
	return first < 0x80 ? (ASCII_KINDS[first] ?? 'unclear') : kindBeyondAscii(bytes, at, to);
};

/** Symbols, emoji and bullets are decoration, and letters of other scripts are words; the rest, spaces, controls and what is no UTF-8, is unclear. */
const kindBeyondAscii = (bytes: Uint8Array, at: number, to: number): Kind => {
	const code = codePointAt(bytes, at, to);
	if ((code >= 0x2190 && code <= 0x2bff) || code >= 0x10000) {
		return 'decoration';
	}

	return code > 0xa0 &&
		!(code >= 0x2000 && code <= 0x218f) &&
		code !== 0x1680 &&
		code !== 0x3000 &&
		code < 0xd800
		? 'words'
		: 'unclear';
};

/** Returns the character beyond ASCII that is encoded there, or -1 when none is. */
const codePointAt = (bytes: Uint8Array, at: number, to: number): number => {
	const first = bytes[at] ?? 0;
	const length = lengthFrom(first);
	if (first < 0xc2 || first > 0xf4 || at + length > to) {
		return -1;
	}

	let code = first & (0x7f >> length);
	for (let next = at + 1; next < at + length; next += 1) {
		const byte = bytes[next] ?? 0;
		if ((byte & 0xc0) !== 0x80) {
			return -1;
		}

		code = (code << 6) | (byte & 0x3f);
	}

	return code < (LEAST[length] ?? 0) || code > 0x10ffff ? -1 : code;
};

/** The length of the sequence that a byte begins. */
const lengthFrom = (first: number): number => {
	if (first < 0xc0) {
		return 1;
	}

	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
};

/** The first character that needs as many bytes; in fewer than it needs none is encoded. */
const LEAST: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

const asciiKind = (character: string): Kind => {
	const kind = SINGLE_KINDS.get(character);
	if (kind !== undefined) {
		return kind;
	}

	if (/[\t\r ]/.test(character)) {
		return 'space';
	}

	if (/[A-Z]/.test(character)) {
		return 'capital';
	}

	if (/[>*+#\d.)-]/.test(character)) {
		return 'decoration';
	}

	return /[a-z!"$%&'(,/:;?@^}\]]/.test(character) ? 'words' : 'unclear';
};

const SINGLE_KINDS: ReadonlyMap<string, Kind> = new Map([
	['\x1b', 'escape'],
	['`', 'mark'],
	['~', 'mark'],
	['<', 'tag'],
	['\\', 'mark'],
]);

const ASCII_KINDS: readonly Kind[] = Array.from({length: 0x80}, (_, code) =>
	asciiKind(String.fromCharCode(code)),
);

/** A capital begins a label only when more capitals, or the colon, follow; a mark a fence when it is repeated, or a bracket when it escapes one; a tag may hold thoughts. */
const isWord = (start: Start, bytes: Uint8Array, at: number, to: number): boolean => {
	const next = at + 1 < to ? (bytes[at + 1] ?? 0) : 0;
	switch (start) {
		case 'capital':
			return (next >= 0x61 && next <= 0x7a) || next === 0x20 || next === 0x2c || next === 0x27;
		case 'mark':
			return next !== bytes[at] && next !== 0x5b && next > 0x20 && next < 0x80;
		case 'tag':
			return next !== 0x74 && next !== 0x54 && next > 0x20 && next < 0x80;
	}
};

/** Returns the place behind a colour sequence, `ESC [ 1 ; 36 m`, or -1 when it is another one; a newline ends none. */
const afterColour = (bytes: Uint8Array, at: number): number => {
	if (bytes[at + 1] !== 0x5b) {
		return -1;
	}

	let end = at + 2;
	let code = bytes[end] ?? 0;
	while ((code >= 0x30 && code <= 0x39) || code === 0x3b) {
		end += 1;
		code = bytes[end] ?? 0;
	}

	return code === 0x6d ? end + 1 : -1;
};
