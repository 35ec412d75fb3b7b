/**
What the line that starts at `from` is for sure, judged by its first few characters: words, or nothing at all.

Nearly all lines of a transcript are one or the other, and a reader that took each of them apart would spend its time on nothing else. So this errs on one side only: decoration is passed generously, and whatever could begin a signal, a fence or a rule is left to be read.
*/
export const plainlyIs = (text: string, from: number): 'words' | 'blank' | undefined => {
	let at = from;
	let isBlank = true;
	for (;;) {
		const kind = kindAt(text, at);
		if (kind === 'escape') {
			at = afterColour(text, at);
			if (at === -1) {
				return undefined;
			}
		} else if (kind === 'space' || kind === 'decoration') {
			isBlank &&= kind === 'space';
			at += 1;
		} else if (kind === 'end') {
			return isBlank ? 'blank' : undefined;
		} else {
			return kind === 'words' || (kind !== 'unclear' && isWord(kind, text, at))
				? 'words'
				: undefined;
		}
	}
};

type Start = 'capital' | 'mark' | 'tag';
type Kind = Start | 'words' | 'space' | 'decoration' | 'escape' | 'end' | 'unclear';

const kindAt = (text: string, at: number): Kind => {
	const code = text.charCodeAt(at);
	return code < 0x80 ? (ASCII_KINDS[code] ?? 'unclear') : kindBeyondAscii(code);
};

/** Symbols, emoji and bullets are decoration, and letters of other scripts are words; the rest, spaces and controls, is unclear. */
const kindBeyondAscii = (code: number): Kind => {
	if ((code >= 0x2190 && code <= 0x2bff) || (code >= 0xd800 && code <= 0xdfff)) {
		return 'decoration';
	}

	return code > 0xa0 &&
		!(code >= 0x2000 && code <= 0x218f) &&
		code !== 0x1680 &&
		code !== 0x3000 &&
		code < 0xfe00
		? 'words'
		: 'unclear';
};

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
	['\n', 'end'],
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
const isWord = (start: Start, text: string, at: number): boolean => {
	const next = text.charCodeAt(at + 1);
	switch (start) {
		case 'capital':
			return (next >= 0x61 && next <= 0x7a) || next === 0x20 || next === 0x2c || next === 0x27;
		case 'mark':
			return next !== text.charCodeAt(at) && next !== 0x5b && next > 0x20 && next < 0x80;
		case 'tag':
			return next !== 0x74 && next !== 0x54 && next > 0x20 && next < 0x80;
	}
};

/** Returns the place behind a colour sequence, `ESC [ 1 ; 36 m`, or -1 when it is another one. */
const afterColour = (text: string, at: number): number => {
	if (text.charCodeAt(at + 1) !== 0x5b) {
		return -1;
	}

	let end = at + 2;
	let code = text.charCodeAt(end);
	while ((code >= 0x30 && code <= 0x39) || code === 0x3b) {
		end += 1;
		code = text.charCodeAt(end);
	}

	return code === 0x6d ? end + 1 : -1;
};
