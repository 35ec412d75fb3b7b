import * as original from '@alcalzone/ansi-tokenize';

export * from '@alcalzone/ansi-tokenize';

/** Number of texts whose tokens are cached: those of some frames of a large screen. */
const generation = 2000;

type Tokens = ReturnType<typeof original.tokenize>;
type Characters = ReturnType<typeof original.styledCharsFromTokens>;

let young = new Map<string, Tokens>();
let old = new Map<string, Tokens>();
const characters = new WeakMap<Tokens, Characters>();

/**
Splits a text into its tokens, like the library `@alcalzone/ansi-tokenize`.

It replaces that library in the bundle: Ink splits every row of every frame, and most rows are those of the frame before.
*/
export const tokenize: typeof original.tokenize = (text, end) => {
	if (end !== undefined) {
		return original.tokenize(text, end);
	}

	const known = young.get(text) ?? old.get(text);
	const tokens = known ?? original.tokenize(text);
	if (!young.has(text)) {
		if (young.size >= generation) {
			old = young;
			young = new Map();
		}

		young.set(text, tokens);
	}

	return tokens;
};

/** Returns the characters of tokens, each with its styles; the result is shared and must not be changed. */
export const styledCharsFromTokens: typeof original.styledCharsFromTokens = tokens => {
	const known = characters.get(tokens);
	if (known !== undefined) {
		return known;
	}

	const made = original.styledCharsFromTokens(tokens);
	characters.set(tokens, made);
	return made;
};
