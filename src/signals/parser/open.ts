import type {Definition, Said} from '../definition.ts';
import type {ExpectedSignal} from '../expected.ts';
import {OnlyExample, Unreadable} from '../fields/unreadable.ts';
import {type Malformed, malformed} from '../malformed.ts';

/** The most text of one signal, in UTF-16 units. */
export const BLOCK_LENGTH = 16 * 1024;

/** A line of a transcript, without terminal escapes. */
export type Line = {
	/** From 1. */
	readonly number: number;
	readonly text: string;
	/** Whether the line was longer than a line may be, so that its end is missing. */
	readonly cut: boolean;
};

/** What came of something that looked like a signal, and whether it stood there whole, from opener to end. */
export type Outcome = {readonly signal: Said; readonly whole: boolean};

/**
Something that began and has not ended. The reader hands it line after line.

`take` says what it makes of a line: `more`, the line is part of it; `last`, the line ends it and `rest`, if any, is read as a line of its own; `before`, it had ended before this line.
*/
export type Open = {
	take(line: Line): 'more' | 'before' | {readonly last: string};
	/** Takes a line that can only be words, or is blank, when that means nothing to it; see `Reader.pass`. */
	pass?(plainly: 'words' | 'blank'): boolean;
	/** Says what it was, when it has ended or the stream has. */
	settle(): readonly Outcome[];
};

/** The text that something open has collected, up to the most a signal may have. */
export const createCollector = () => {
	const lines: string[] = [];
	let length = 0;
	return {
		lines: lines as readonly string[],
		/** Returns whether there was room for the line; the one that finds none is the last that is kept. */
		add: (line: string): boolean => {
			if (length <= BLOCK_LENGTH + 1) {
				lines.push(line.length > BLOCK_LENGTH ? line.slice(0, BLOCK_LENGTH) : line);
				length += line.length + 1;
			}

			return length <= BLOCK_LENGTH + 1;
		},
	};
};

/** Reads the text of a signal with its definition; a form that isn't filled in comes to nothing. */
export const outcomeOf = (
	definition: Definition,
	{line, text, raw}: {readonly line: number; readonly text: string; readonly raw: string},
): readonly Outcome[] => {
	try {
		return [{signal: definition.read(text, line), whole: true}];
	} catch (error) {
		if (error instanceof OnlyExample) {
			return [];
		}

		return [{signal: malformedOf(definition, line, reasonOf(error), raw), whole: true}];
	}
};

/** Whatever a parser throws at an agent's words is a property of the words: a `RangeError` is a full stack. */
export const reasonOf = (error: unknown): string =>
	error instanceof Unreadable || error instanceof OnlyExample
		? error.message
		: `It can’t be read: ${error instanceof RangeError ? 'nested too deeply' : error}.`;

/** The outcome of something that began as a signal and never came to its end. */
export const unfinished = (
	definition: Definition,
	line: number,
	reason: string,
	raw: string,
): readonly Outcome[] => [{signal: malformedOf(definition, line, reason, raw), whole: false}];

const malformedOf = (
	definition: Definition,
	line: number,
	reason: string,
	raw: string,
): Malformed => {
	const expected: ExpectedSignal['kind'] = 'signal';
	const name = definition.kind === expected ? definition.marker : definition.kind;
	return malformed(name, line, reason, raw);
};
