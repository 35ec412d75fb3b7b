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

/** The most text of one signal, in UTF-16 units. */
export const BLOCK_LENGTH = 16 * 1024;

/** A definition of signals that are drawn in this form. */
export type DefinitionOf<Type extends SignalForm['type']> = Definition & {
	readonly form: SignalForm & {readonly type: Type};
};

/** A line of a transcript, without terminal escapes. */
export type Line = {
	/** From 1. */
	readonly number: number;
	readonly text: string;
	/** Whether the line was longer than a line may be, so that its end is missing. */
	readonly cut: boolean;
};

/** A signal or `malformed`, and whether it stood there whole, from opener to end. */
export type ReadSignal = {readonly signal: Said; readonly whole: boolean};

/**
Something that began and has not ended. The reader hands it line after line.

`take` says what it makes of a line: `more`, the line is part of it; `last`, the line ends it and `rest`, if any, is read as a line of its own; `before`, it had ended before this line.
*/
export type Open = {
	take(line: Line): 'more' | 'before' | {readonly last: string};
	/** Takes a line that can only be words, or is blank, when that means nothing to it; see `Reader.pass`. */
	pass?(plainly: 'words' | 'blank'): boolean;
	/** Returns the outcome, once it or the stream has ended. */
	settle(): readonly ReadSignal[];
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

/**
Returns what came of something with this definition: the signal that its text says, or `malformed`; nothing for a form that isn't filled in.

@param lack Why it never came to its end, where it did not.
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
		/** The text as it stood, where that differs. */
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

/** Returns why an agent's words can't be read. A `RangeError` is a stack overflow, whose cause is the words, too. */
export const reasonOf = (error: unknown): string =>
	error instanceof Unreadable || error instanceof OnlyExample
		? error.message
		: `It can’t be read: ${error instanceof RangeError ? 'nested too deeply' : error}.`;

/** More signals than this are not remembered while it is unknown whether they count: the latest count most. */
const HELD = 256;

/** Signals that are held back until it is known whether they count. */
export type Held = {
	readonly latest: readonly ReadSignal[];
	/** How many there were, those that are forgotten included. */
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

/** A line signal or a word, and the labelled lines directly below it, each label once; empty lines between them don't matter. */
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

/** Opens what a line goes on with that was said already; nothing where it does not go on. */
export type Tail = (line: Line) => Open | undefined;

/**
Returns the tail of a value that was wrapped.

The signal was said with its first line, so that nobody waits for the next one. It is said again, whole, once another signal follows right below, or the stream ends: words behind it may also be what a tool printed.
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

/** Returns whether a line goes on with the sentence above it: it is indented, or in lower case where that has no end yet. */
const isWrapped = (above: string, words: string): boolean =>
	/^(?: {2,8}|\t)(?!\d+[.)]\s)[\p{L}\d("'’$]/u.test(words) ||
	(!/[.!?:…]["'’)]*\s*$/.test(above) && /^\p{Ll}/u.test(words));

const NONE: ReadonlySet<string> = new Set();

/** A follower's label is spelled as defined, which need not be in capitals. */
const followerOf = (words: string): LabelledText | undefined => {
	const [, label, value = ''] =
		/^[*_]{0,3}([A-Za-z]{1,40})[*_]{0,3}:[*_]{0,3}(.*)$/.exec(words) ?? [];
	return label === undefined ? undefined : {label, value: withoutTrailingEmphasis(value).trim()};
};

/** Returns whether a line is the head of the table that is defined. */
export const opensTable = ({form}: DefinitionOf<'table'>, text: string): boolean => {
	if (!text.toLowerCase().includes(form.columns[0] ?? '')) {
		return false;
	}

	const cells = cellsOf(text).map(cell => cell.toLowerCase());
	return form.columns.every(column => cells.includes(column));
};

/** A table from its head to the first line that isn't part of it. Without a rule below the head it is none. */
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
