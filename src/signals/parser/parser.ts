import {createLineSplitter, withoutCarriageReturns} from '../../lib/text/lines.ts';
import {stripAnsi} from '../../lib/text/strip-ansi.ts';
import type {Definition} from '../definition.ts';
import {type Signal, signals} from '../index.ts';
import {expectedSignals} from '../line-signal.ts';
import {ruleOf, undecorated} from './decoration.ts';
import {createHeld, type Held, type Line, type Open, type ReadSignal, type Tail} from './open.ts';
import {createOpening, type Opened, type Opening} from './opening.ts';

const ENVELOPES: ReadonlySet<Envelope> = new Set(['fence', 'thoughts']);

/** Maximum length of a line, in UTF-16 code units. */
const LINE_LENGTH = 64 * 1024;

/** Parses a stream of one agent's words; see `createParser`. */
export type Parser = {
	/** Parses a chunk, cut anywhere, and returns the signals that it completed, in the order of the text. */
	push(chunk: Uint8Array | string): Signal[];
	/** Ends the stream and returns the signals that were still open. */
	end(): Signal[];
};

type ParserOptions = {
	/** Names of line signals of this task; known names keep their definition. */
	readonly expect?: readonly string[];
};

/**
Returns a parser for one agent's words.

The signals do not depend on the division into chunks. Time is linear in the length, memory is bounded (a line of 64 KiB, a signal of 16 KiB), and no text makes it throw: an invalid signal becomes `malformed`.
*/
export const createParser = ({expect = []}: ParserOptions = {}): Parser =>
	createParserOf<Signal>(signals, expect);

/** Returns a parser for only these definitions; `S` is the type of their signals. */
export const createParserOf = <S>(
	definitions: readonly Definition[],
	expect: readonly string[] = [],
): {push(chunk: Uint8Array | string): S[]; end(): S[]} => {
	const expected = expectedSignals(definitions, expect);
	const reader = createReader(createOpening([...definitions, ...expected]), ENVELOPES);
	let heard: S[] = [];

	const hear = (outcomes: readonly ReadSignal[]): void => {
		for (const {signal} of outcomes) {
			heard.push(signal as S);
		}
	};

	const lines = createLineSplitter({
		maxLength: LINE_LENGTH,
		onLine: (text, number, cut) => {
			const plainly = plainlyIs(text);
			if (plainly === undefined || cut || !reader.pass(plainly)) {
				// A terminal prints the end of a colour after the carriage return.
				hear(reader.read({number, text: withoutCarriageReturns(stripAnsi(text)), cut}));
			}
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

/**
Returns what a line certainly is, by its beginning: words, or blank.

Most lines of a transcript are one or the other; reading each of them would take six times as long. Decoration and colours before the words are allowed; a capital may begin a label only if another capital or the colon follows. A line that may begin a signal, a fence or a rule is left to be read.
*/
const plainlyIs = (text: string): 'words' | 'blank' | undefined =>
	PLAIN_WORDS.test(text) ? 'words' : BLANK.test(text) ? 'blank' : undefined;

const PLAIN_WORDS = /^(?:[\t\r >*+#\d.)-]|\x1b\[[\d;]*m)*(?:[a-z!"$%&'(,/:;?@^}\]]|[A-Z][a-z ,'])/;

const BLANK = /^[\t\r ]*$/;

/** Reads a transcript, or the text in one of its fences, line by line. */
type Reader = {
	read(line: Line): readonly ReadSignal[];
	/** Ends the text and settles the open form. */
	end(): readonly ReadSignal[];
	/** Takes a line of plain words, or a blank one; returns false if it matters to an open form. */
	pass(plainly: 'words' | 'blank'): boolean;
	/** Returns whether a form is open. */
	isOpen(): boolean;
	/** Returns whether there was any text besides signals, rules and empty lines. */
	sawStray(): boolean;
};

/** Text around signals that is read separately; where it is not, its marks are plain words. */
type Envelope = 'fence' | 'thoughts';

const NOTHING: ReadonlySet<Envelope> = new Set();
const FENCES: ReadonlySet<Envelope> = new Set(['fence']);

/**
Returns a reader for the signals of `opening` that recognizes these envelopes.

At most one form is open at a time. A line goes to that form, and begins the next one if none is open or the open one had ended before it.
*/
export const createReader = (opening: Opening, envelopes: ReadonlySet<Envelope>): Reader => {
	let open: Open | undefined;
	let isStray = false;
	let ruleAbove: string | undefined;
	/** Possible continuation of the line directly above. */
	let tail: Tail | undefined;

	const readStray = (): void => {
		isStray = true;
		ruleAbove = undefined;
	};

	const settle = (): readonly ReadSignal[] => {
		const outcomes = open?.settle() ?? [];
		isStray ||= open !== undefined && outcomes.length === 0;
		open = undefined;
		return outcomes;
	};

	/** Opens a form with the line, if it begins one, and returns the part of it that the form takes first. */
	const begin = (line: Line, outcomes: ReadSignal[]): Line | undefined => {
		open = tail?.(line);
		tail = undefined;
		if (open !== undefined) {
			return line;
		}

		const text = undecorated(line.text);
		const rule = ruleOf(text);
		if (text === '' || rule !== undefined) {
			ruleAbove = rule ?? ruleAbove;
			return undefined;
		}

		const begun = openedEnvelope(line, text) ?? opening(line, text, ruleAbove);
		if (begun === undefined) {
			readStray();
			return undefined;
		}

		ruleAbove = undefined;
		open = begun.open;
		if (begun.whole) {
			outcomes.push(...settle());
			tail = begun.tail;
		}

		return begun.left;
	};

	const openedEnvelope = (line: Line, text: string): Opened | undefined => {
		const fence = envelopes.has('fence') ? fenceOf(text) : undefined;
		if (fence !== undefined) {
			return {open: openFence(fence, line, () => createReader(opening, NOTHING))};
		}

		const thought = envelopes.has('thoughts') ? thoughtsOf(text) : undefined;
		return thought === undefined
			? undefined
			: {open: openThoughts(createReader(opening, FENCES), line), left: {...line, text: thought}};
	};

	/** Reads the line and returns the part that is still to be read. */
	const step = (line: Line, outcomes: ReadSignal[]): Line | undefined => {
		const taken = open === undefined ? 'before' : open.take(line);
		if (taken === 'more') {
			return undefined;
		}

		outcomes.push(...settle());
		if (taken === 'before') {
			return begin(line, outcomes);
		}

		return taken.last === '' ? undefined : {...line, text: taken.last};
	};

	return {
		read: line => {
			const outcomes: ReadSignal[] = [];
			for (let left: Line | undefined = line; left !== undefined; ) {
				left = step(left, outcomes);
			}

			return outcomes;
		},
		pass: plainly => {
			if (open !== undefined) {
				return open.pass?.(plainly) ?? false;
			}

			if (plainly === 'words') {
				if (tail !== undefined) {
					return false;
				}

				readStray();
			}

			tail = undefined;
			return true;
		},
		end: settle,
		isOpen: () => open !== undefined,
		sawStray: () => isStray,
	};
};

/** The mark that opens a code fence. */
export type Fence = {readonly character: string; readonly length: number};

/**
Reads the opening line of a code fence, decorated or not.

A line such as `` ```ts``` `` opens none.
*/
const fenceOf = (text: string): (Fence & {readonly info: string}) | undefined => {
	const character = text.charAt(0);
	if (character !== '`' && character !== '~') {
		return undefined;
	}

	let length = 1;
	while (text.charAt(length) === character) {
		length += 1;
	}

	const info = text.slice(length).trim();
	return length < 3 || info.includes('`') ? undefined : {character, length, info};
};

/**
Decides when a marker is only an example.

**In a code fence** it is one, unless the fence contains exactly one complete signal and nothing else: agents often put a real signal in a fence, while an explanation of the protocol shows several signals, or one among words. A complete but invalid one is malformed; an incomplete one is an example. A fence in a fence (a mark with a language after it) contains only examples; a fence in a signal, indented deeper, is part of the signal. An unclosed fence is no fence: at the end of the stream all its signals count.

**In a quote** (`> `) it is not: models quote whole answers, and the quote marks are decoration. **In a line** it always is: a bracketed marker counts at the start of a line with only a field or its end after it, a label at the start of a line and in capitals, and neither in code marks (`` `[STOP_WORK]` ``).

**An empty form** is an example anywhere: a required value is `‹…›`, `<…>` or dots, or lists its choices as `A | B`. So an agent can echo the whole launch prompt without sending a signal.
*/
const openFence = (opened: Fence, opener: Line, createInner: () => Reader): Open => {
	let inside: {readonly reader: Reader; readonly held: Held} | undefined;
	let isStray = false;
	let nested = 0;
	let isClosed = false;

	/** Returns the change of depth by a line: a mark with words after it opens a fence, a bare one closes the innermost. */
	const turnOf = (line: Line): -1 | 0 | 1 => {
		const mark = fenceOf(undecorated(line.text));
		if (mark === undefined || mark.character !== opened.character || mark.length < opened.length) {
			return 0;
		}

		if (inside?.reader.isOpen() && columnOf(mark, line) > columnOf(opened, opener)) {
			return 0;
		}

		return mark.info === '' ? -1 : 1;
	};

	return {
		take: line => {
			const turn = turnOf(line);
			if (turn === -1 && nested === 0) {
				isClosed = true;
				return {last: ''};
			}

			nested += turn;
			if (turn === 0 && nested === 0) {
				inside ??= {reader: createInner(), held: createHeld()};
				inside.held.hold(inside.reader.read(line));
			} else {
				isStray = true;
			}

			return 'more';
		},
		pass: plainly => {
			if (inside !== undefined) {
				return nested > 0 || inside.reader.pass(plainly);
			}

			// Most fences contain only words, which need not be read.
			isStray ||= plainly === 'words';
			return true;
		},
		settle: () => {
			if (inside === undefined) {
				return [];
			}

			const {reader, held} = inside;
			held.hold(reader.end());
			const isOne = held.count() === 1 && !isStray && !reader.sawStray();
			return !isClosed || (isOne && held.latest[0]?.whole) ? held.latest : [];
		},
	};
};

const columnOf = ({character}: Fence, {text}: Line): number => text.indexOf(character);

/** Returns the text after the tag at the start of a line that opens an agent's thoughts. */
const thoughtsOf = (text: string): string | undefined => {
	const [tag] = /^<think(?:ing)?>/i.exec(text) ?? [];
	return tag === undefined ? undefined : text.slice(tag.length);
};

/** Maximum number of lines of thoughts; longer ones lack their end. */
const longestThoughts = 2000;

/**
Opens an agent's thoughts, from `<thinking>` at the start of a line to `</thinking>`.

They contain drafts, so no signal in them counts. Unclosed thoughts are none: after the maximum number of lines, or at the end of the stream, all their signals count.
*/
const openThoughts = (inner: Reader, opener: Line): Open => {
	const held = createHeld();
	let isClosed = false;

	return {
		take: line => {
			const [end] = line.text.match(/<\/think(?:ing)?>/i) ?? [];
			if (end === undefined) {
				if (line.number - opener.number > longestThoughts && !inner.isOpen()) {
					return 'before';
				}

				held.hold(inner.read(line));
				return 'more';
			}

			isClosed = true;
			return {last: line.text.slice(line.text.indexOf(end) + end.length).trim()};
		},
		settle: () => {
			held.hold(inner.end());
			return isClosed ? [] : held.latest;
		},
	};
};

/** Returns the lines of a text outside of signals, without rules, blank lines at its ends and more than one between. */
export const wordsBesideSignals = (lines: readonly string[]): readonly string[] => {
	const reader = createReader(createOpening(signals), ENVELOPES);
	const words: string[] = [];
	let held: string[] = [];
	for (const [index, text] of lines.entries()) {
		const wasOpen = reader.isOpen();
		const said = reader.read({number: index + 1, text, cut: false});
		const isSaid = said.length > 0;
		if (reader.isOpen()) {
			held = wasOpen && !isSaid ? held : [];
			held.push(text);
		} else {
			const isWhole = said.some(({signal}) => signal.line === index + 1);
			const isLast = isWhole || (isSaid && (!wasOpen || endsSignal(undecorated(text))));
			words.push(...(isSaid ? [] : held), ...(isLast ? [] : [text]));
			held = [];
		}
	}

	words.push(...(reader.end().length > 0 ? [] : held));
	const plain = words.filter(text => ruleOf(undecorated(text)) === undefined);
	const shown = plain.filter((text, at) => text.trim() !== '' || plain[at - 1]?.trim() !== '');
	return shown.slice(shown[0]?.trim() === '' ? 1 : 0, shown.at(-1)?.trim() === '' ? -1 : undefined);
};

/** Returns whether the line at which a signal ended is part of it: a closing marker, a brace or a fence; any other came after it. */
const endsSignal = (text: string): boolean => /^(?:\\?\[ {0,8}\/|[}`~]|<\/)/.test(text);
