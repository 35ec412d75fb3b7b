import type {Definition} from '../../src/signals/definition.ts';
import type {Signal} from '../../src/signals/index.ts';
import {createParser, createParserOf} from '../../src/signals/parser.ts';

/** Returns the signals of a whole text. */
export const parse = (text: Uint8Array | string, expect: readonly string[] = []): Signal[] => {
	const parser = createParser({expect});
	return [...parser.push(text), ...parser.end()];
};

/** Returns the signals of a text that arrives in these chunks. */
export const parseChunks = (chunks: Iterable<Uint8Array | string>): Signal[] => {
	const parser = createParser();
	return [...[...chunks].flatMap(chunk => parser.push(chunk)), ...parser.end()];
};

/** Returns what a text says to a parser that knows only these definitions. */
export const parseWith = (definitions: readonly Definition[], text: string): unknown[] => {
	const parser = createParserOf<unknown>(definitions);
	return [...parser.push(text), ...parser.end()];
};
