import {cellsOf, isTableLine, isTableRule} from '../../lib/text/markdown-table.ts';
import type {Definition, Said, SignalForm} from '../definition.ts';
import {malformed, OnlyExample, Unreadable} from '../fields/unreadable.ts';
import type {ExpectedSignal} from '../line-signal.ts';
import {
	type LabelledText,
	quoteDepth,
	undecorated,
	unquoted,
	withoutTrailingEmphasis,
} from './decoration.ts';

/** Maximum length of one signal, in UTF-16 code units. */
export const BLOCK_LENGTH = 16 * 1024;

/** A definition of signals of one form. */
export type DefinitionOf<Type extends SignalForm['type']> = Definition & {
	readonly form: SignalForm & {readonly type: Type};
};

/** A line of a transcript, without terminal escapes. */
export type Line = {
	/** From 1. */
	readonly number: number;
	readonly text: string;
	/** True if the line was too long, so that its end is missing. */
	readonly cut: boolean;
};

/** A signal or `malformed`, and whether the text had it in full, from opener to end. */
export type ReadSignal = {readonly signal: Said; readonly whole: boolean};

/**
A form that has begun and not ended. The reader passes it line by line.

`take` returns its decision on a line: `more`, the line is part of it; `last`, the line ends it and `rest`, if any, is read as a line of its own; `before`, it had ended before this line.
*/
export type Open = {
	take(line: Line): 'more' | 'before' | {readonly last: string};
	/** Takes a line of plain words, or a blank one, if it has no meaning here; see `Reader.pass`. */
	pass?(plainly: 'words' | 'blank'): boolean;
	/** Returns the outcome, once it or the stream has ended. */
	settle(): readonly ReadSignal[];
};

/** Returns a collector for the text of an open form, up to the maximum length of a signal. */
export const createCollector = () => {
	const lines: string[] = [];
	let length = 0;
	return {
		lines: lines as readonly string[],
		/** Returns whether there was room for the line; the first line without room is the last that is kept. */
		add: (line: string): boolean => {
			if (length <= BLOCK_LENGTH + 1) {
				lines.push(line.length > BLOCK_LENGTH ? line.slice(0, BLOCK_LENGTH) : line);
				length += line.length + 1;
			}

			return length <= BLOCK_LENGTH + 1;
		},
	};
};

/**
Returns the outcome of a form: the signal in its text, or `malformed`; nothing for an empty form.

@param lack Reason why it has no end, if so.
*/
export const outcomesOf = (
	definition: Definition,
	{
		line,
		text,
		raw = text,
		lack,
	}: {
		readonly line: number;
		readonly text: string;
		/** Original text, if it differs. */
		readonly raw?: string;
		readonly lack: string | undefined;
	},
): readonly ReadSignal[] => {
	const expected: ExpectedSignal['kind'] = 'signal';
	const name = definition.kind === expected ? definition.marker : definition.kind;
	if (lack !== undefined) {
		return [{signal: malformed(name, line, lack, raw), whole: false}];
	}

	try {
		return [{signal: definition.read(text, line), whole: true}];
	} catch (error) {
		return error instanceof OnlyExample
			? []
			: [{signal: malformed(name, line, reasonOf(error), raw), whole: true}];
	}
};

/** Returns the reason why an agent's words are invalid. A `RangeError` is a stack overflow, which the words caused, too. */
export const reasonOf = (error: unknown): string =>
	error instanceof Unreadable || error instanceof OnlyExample
		? error.message
		: `It can’t be read: ${error instanceof RangeError ? 'nested too deeply' : error}.`;

/** Maximum number of signals held back; the latest are kept, since they count most. */
const HELD = 256;

/** Signals that are held back until it is known whether they count. */
export type Held = {
	readonly latest: readonly ReadSignal[];
	/** Returns their number, including dropped ones. */
	count(): number;
	hold(outcomes: readonly ReadSignal[]): void;
};

export const createHeld = (): Held => {
	const latest: ReadSignal[] = [];
	let count = 0;
	return {
		latest,
		count: () => count,
		hold: outcomes => {
			count += outcomes.length;
			latest.push(...outcomes);
			latest.splice(0, Math.max(0, latest.length - HELD));
		},
	};
};

/** Opens a line signal or a word, and the labelled lines directly below it, each label once; empty lines between them are ignored. */
export const openLine = (
	definition: DefinitionOf<'line' | 'word'>,
	{value}: LabelledText,
	opener: Line,
): Open => {
	const {form} = definition;
	const followers = form.type === 'line' ? form.followers : NONE;
	const text = [value];
	const raw = [opener.text];
	const labels = new Set<string>();
	let isCut = opener.cut;

	return {
		take: line => {
			const words = undecorated(line.text);
			if (words === '' && labels.size < followers.size) {
				return 'more';
			}

			const follower = followerOf(words);
			if (follower === undefined || !followers.has(follower.label) || labels.has(follower.label)) {
				return 'before';
			}

			labels.add(follower.label);
			text.push(`${follower.label}: ${follower.value}`);
			raw.push(line.text);
			isCut ||= line.cut;
			return labels.size === followers.size ? {last: ''} : 'more';
		},
		settle: () =>
			outcomesOf(definition, {
				line: opener.number,
				text: text.join('\n'),
				raw: raw.join('\n'),
				lack: isCut ? `${definition.marker} is longer than 64 KiB.` : undefined,
			}),
	};
};

/** Opens the continuation of a line that was sent already; returns nothing if a line does not continue it. */
export type Tail = (line: Line) => Open | undefined;

/**
Returns the tail of a wrapped value.

The signal is sent with its first line, so that nothing waits for the next one. It is sent again in full once another signal follows directly below, or the stream ends: other words after it may be a tool's output.
*/
export const wrappedTail = (
	definition: DefinitionOf<'line'>,
	{value}: LabelledText,
	{text: first, number, cut}: Line,
	opens: (line: Line) => boolean,
): Tail => {
	const depth = quoteDepth(first);
	const goesOn = (above: string, line: Line): boolean =>
		!cut && above.length >= 40 && isWrapped(above, unquoted(line.text, depth)) && !opens(line);

	return begun => {
		if (!goesOn(first, begun)) {
			return undefined;
		}

		const lines: string[] = [];
		let above = first;
		let counts = true;
		return {
			take: line => {
				if (lines.length === 0 || goesOn(above, line)) {
					lines.push(unquoted(line.text, depth).trim());
					above = line.text;
					return 'more';
				}

				counts = opens(line);
				return 'before';
			},
			settle: () => {
				const text = [value, ...lines].join(' ');
				return counts && text.length <= BLOCK_LENGTH
					? outcomesOf(definition, {line: number, text, lack: undefined})
					: [];
			},
		};
	};
};

/** Returns whether a line continues the sentence above it: it is indented, or in lower case after an unfinished sentence. */
const isWrapped = (above: string, words: string): boolean =>
	/^(?: {2,8}|\t)(?!\d+[.)]\s)[\p{L}\d("'’$]/u.test(words) ||
	(!/[.!?:…]["'’)]*\s*$/.test(above) && /^\p{Ll}/u.test(words));

const NONE: ReadonlySet<string> = new Set();

/** Reads a follower's label, which is spelled as defined and need not be in capitals. */
const followerOf = (words: string): LabelledText | undefined => {
	const [, label, value = ''] =
		/^[*_]{0,3}([A-Za-z]{1,40})[*_]{0,3}:[*_]{0,3}(.*)$/.exec(words) ?? [];
	return label === undefined ? undefined : {label, value: withoutTrailingEmphasis(value).trim()};
};

/** Returns whether a line is the head of a defined table. */
export const opensTable = ({form}: DefinitionOf<'table'>, text: string): boolean => {
	if (!text.toLowerCase().includes(form.columns[0] ?? '')) {
		return false;
	}

	const cells = cellsOf(text).map(cell => cell.toLowerCase());
	return form.columns.every(column => cells.includes(column));
};

/** Opens a table from its head to the first line that isn't part of it. Without a rule below the head it is none. */
export const openTable = (definition: DefinitionOf<'table'>, opener: Line): Open => {
	const collector = createCollector();
	let isTable = false;
	let isTooLong = opener.cut;

	collector.add(undecorated(opener.text));
	return {
		take: line => {
			const text = undecorated(line.text);
			if (!isTableLine(text) || !(isTable || isTableRule(text))) {
				return 'before';
			}

			isTable = true;
			isTooLong ||= line.cut || !collector.add(text);
			return 'more';
		},
		settle: () =>
			isTable
				? outcomesOf(definition, {
						line: opener.number,
						text: collector.lines.join('\n'),
						lack: isTooLong ? 'The table holds more than 16 KiB.' : undefined,
					})
				: [],
	};
};
