/**
Whether the line that starts at `from` is plain words for sure, judged by its first few characters.

Nearly all lines of a transcript are, and a reader that took each of them apart would spend its time on nothing else. So this errs on one side only: decoration is passed generously, and whatever could begin a signal, a fence or a rule is left to be read.
*/
export const isPlainWords = (text: string, from: number): boolean => {
	let at = from;
	let kind = kindAt(text, at);
	while (kind === 'decoration' || kind === 'escape') {
		at = kind === 'escape' ? afterColour(text, at) : at + 1;
		kind = at === -1 ? 'unclear' : kindAt(text, at);
	}

	return kind === 'words' || (kind === 'capital' && isWord(text, at));
};

type Kind = 'words' | 'decoration' | 'capital' | 'escape' | 'unclear';

const kindAt = (text: string, at: number): Kind => {
	const code = text.charCodeAt(at);
	return code < 0x80 ? (ASCII_KINDS[code] ?? 'unclear') : kindBeyondAscii(code);
};

/** Symbols, bullets, rules, spaces and controls are unclear; letters of other scripts are words. */
const kindBeyondAscii = (code: number): Kind =>
	code > 0xa0 &&
	!(code >= 0x2000 && code <= 0x2bff) &&
	code !== 0x1680 &&
	code !== 0x3000 &&
	code !== 0xfeff
		? 'words'
		: 'unclear';

const asciiKind = (character: string): Kind => {
	if (character === '\x1b') {
		return 'escape';
	}

	if (/[A-Z]/.test(character)) {
		return 'capital';
	}

	if (/[\t >*+#\d.)-]/.test(character)) {
		return 'decoration';
	}

	return /[a-z!"$%&'(,/:;<?@^}\]\\]/.test(character) ? 'words' : 'unclear';
};

const ASCII_KINDS: readonly Kind[] = Array.from({length: 0x80}, (_, code) =>
	asciiKind(String.fromCharCode(code)),
);

/** A capital begins a label only when more capitals, or the colon, follow. */
const isWord = (text: string, at: number): boolean => {
	const next = text.charCodeAt(at + 1);
	return (next >= 0x61 && next <= 0x7a) || next === 0x20 || next === 0x2c || next === 0x27;
};

/** Returns the place behind a colour sequence, or -1 when it is another one. */
const afterColour = (text: string, at: number): number => {
	let end = at + 2;
	for (let code = text.charCodeAt(end); (code >= 0x30 && code <= 0x39) || code === 0x3b; ) {
		end += 1;
		code = text.charCodeAt(end);
	}

	return text[at + 1] === '[' && text[end] === 'm' ? end + 1 : -1;
};
