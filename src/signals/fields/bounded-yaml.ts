import {Composer, type Document, Lexer, Parser} from 'yaml';
import {Unreadable} from './unreadable.ts';

/**
The most names, values, marks and line ends that are read of one block.

Time is in them and not in its length: 16 KiB of nothing but commas would take a hundred times as long as 16 KiB of prose. A list of two hundred files, each with its state, has fewer.
*/
const PART_COUNT = 5000;

/** Parses texts as YAML, core schema, as long as what it has read so far is within its limit; then it throws `Unreadable`. */
export type BoundedYaml = (body: string) => Document.Parsed;

/** Creates a parser whose limit holds for all that it reads together. */
export const createBoundedYaml = (): BoundedYaml => {
	let left = PART_COUNT;

	/** What the library's own parser does with a text, except that it can be stopped in between. */
	function* tokensOf(body: string) {
		const parser = new Parser();
		for (const part of new Lexer().lex(body)) {
			left -= 1;
			if (left < 0) {
				throw new Unreadable(
					'The block has too many parts to be read; shorten it or quote values.',
				);
			}

			yield* parser.next(part);
		}

		yield* parser.end();
	}

	return body =>
		withoutStacks(() => {
			const composer = new Composer(OPTIONS);
			const [document, other] = composer.compose(tokensOf(body), true, body.length);
			if (document === undefined || other !== undefined) {
				throw new Unreadable('To YAML, a line "---" or "..." ends the block; quote it.');
			}

			return document;
		});
};

/** The library's own check of unique keys compares each with each, so readers look for them. */
const OPTIONS = {
	schema: 'core',
	prettyErrors: false,
	uniqueKeys: false,
	logLevel: 'error',
} as const;

/**
Runs the library without the stacks of its errors.

It makes an error for each thing that is wrong, thousands in a text made for it, and their stacks, which nobody sees, would take most of the time.
*/
const withoutStacks = <Result>(run: () => Result): Result => {
	const {stackTraceLimit} = Error;
	Error.stackTraceLimit = 0;
	try {
		return run();
	} finally {
		Error.stackTraceLimit = stackTraceLimit;
	}
};
