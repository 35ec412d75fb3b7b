import {createLineSplitter} from '../../lib/text/lines.ts';
import {stripAnsi} from '../../lib/text/strip-ansi.ts';
import type {Definition} from '../definition.ts';
import {expectedSignals} from '../expected.ts';
import {type Signal, signals} from '../index.ts';
import type {Outcome} from './open.ts';
import {createOpening} from './opening.ts';
import {plainlyIs} from './plain-words.ts';
import {createReader, type Envelope} from './reader.ts';

const ENVELOPES: ReadonlySet<Envelope> = new Set(['fence', 'thoughts']);

/** The longest line that is read whole, in UTF-16 units. */
const LINE_LENGTH = 64 * 1024;

/** Understands a stream of what one agent says; see `createParser`. */
export type Parser = {
	/** Reads a chunk, cut anywhere, and returns the signals that became whole in it, in the order of the text. */
	push(chunk: Uint8Array | string): Signal[];
	/** Ends the stream and returns what was still open in it. */
	end(): Signal[];
};

type ParserOptions = {
	/** Names of line signals that only this task knows; those that every agent knows stay what they are. */
	readonly expect?: readonly string[];
};

/**
Creates a parser for one agent's words.

However the stream is cut into chunks, the signals are the same. Time is linear in its length, memory is bounded (a line of 64 KiB, a signal of 16 KiB), and nothing an agent writes makes it throw: what starts like a signal and can't be read becomes `malformed`.
*/
export const createParser = ({expect = []}: ParserOptions = {}): Parser =>
	createParserOf<Signal>(signals, expect);

/** Creates a parser that knows these definitions, and no others; `S` is what they yield. */
export const createParserOf = <S>(
	definitions: readonly Definition[],
	expect: readonly string[] = [],
): {push(chunk: Uint8Array | string): S[]; end(): S[]} => {
	const expected = expectedSignals(definitions, expect);
	const reader = createReader(createOpening([...definitions, ...expected]), ENVELOPES);
	let heard: S[] = [];

	const hear = (outcomes: readonly Outcome[]): void => {
		for (const {signal} of outcomes) {
			heard.push(signal as S);
		}
	};

	const lines = createLineSplitter({
		maxLength: LINE_LENGTH,
		onLine: (text, number, cut) => hear(reader.read({number, text: stripAnsi(text), cut})),
		skip: (bytes, from, to) => {
			const plainly = plainlyIs(bytes, from, to);
			return plainly !== undefined && reader.pass(plainly);
		},
	});

	const take = (): S[] => {
		const taken = heard;
		heard = [];
		return taken;
	};

	return {
		push: chunk => {
			lines.push(chunk);
			return take();
		},
		end: () => {
			lines.end();
			hear(reader.end());
			return take();
		},
	};
};
