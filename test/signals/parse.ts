import {createLineSplitter} from '../../src/lib/text/lines.ts';
import {stripAnsi} from '../../src/lib/text/strip-ansi.ts';
import type {Definition} from '../../src/signals/definition.ts';
import {type Signal, signals} from '../../src/signals/index.ts';
import {createOpening} from '../../src/signals/parser/opening.ts';
import {createParser, createParserOf, createReader} from '../../src/signals/parser/parser.ts';

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

/** Returns the signals of a text of which no line is passed over, however plain. */
export const parseEveryLine = (text: Uint8Array | string): unknown[] => {
	const reader = createReader(createOpening(signals), new Set(['fence', 'thoughts'] as const));
	const said: unknown[] = [];
	const lines = createLineSplitter({
		maxLength: 64 * 1024,
		onLine: (words, number, cut) => {
			const outcomes = reader.read({number, text: stripAnsi(words), cut});
			said.push(...outcomes.map(({signal}) => signal));
		},
	});
	lines.push(text);
	lines.end();
	return [...said, ...reader.end().map(({signal}) => signal)];
};
