import type {Definition} from '../definition.ts';
import {quoteDepth, unquoted} from './decoration.ts';
import {createCollector, type Line, type Open, outcomeOf, unfinished} from './open.ts';

type ObjectDefinition = Definition & {readonly form: {readonly type: 'object'}};

/**
A JSON object from its brace to the one that closes it.

Most objects in a transcript are no result, so nothing is said unless the definition claims the text; and it is over at the first line that can't be JSON, so that a stray brace swallows no words.
*/
export const openObject = (
	definition: ObjectDefinition,
	opener: Line,
	opensSignal: (line: string) => boolean,
): Open => {
	const collector = createCollector();
	const depth = quoteDepth(opener.text);
	const braces = createBraceCounter();
	let state: 'open' | 'closed' | 'too long' = 'open';

	const take = (line: Line): ReturnType<Open['take']> => {
		const words = unquoted(line.text, depth);
		if (!JSON_LINE.test(words) || opensSignal(line.text)) {
			return 'before';
		}

		const end = braces.endOf(words);
		const isRoom = collector.add(end === -1 ? words : words.slice(0, end));
		if (!isRoom || line.cut) {
			state = 'too long';
		}

		if (end === -1) {
			return 'more';
		}

		state = state === 'open' ? 'closed' : state;
		return {last: words.slice(end).trim()};
	};

	return {
		take,
		settle: () => {
			const text = collector.lines.join('\n');
			if (!definition.form.claims(text)) {
				return [];
			}

			if (state === 'closed') {
				return outcomeOf(definition, {line: opener.number, text, raw: text});
			}

			const reason =
				state === 'open'
					? 'The result is not closed by "}".'
					: 'The result holds more than 16 KiB.';
			return unfinished(definition, opener.number, reason, text);
		},
	};
};

/** What a line of JSON can begin with; a list item of prose is none. */
const JSON_LINE = /^\s*(?:["{}[\],]|-?\d[\d.eE+-]*\s*(?:[,\]}]|$)|(?:true|false|null)\b|$)/;

/** Counts braces and brackets outside of strings; no string of JSON goes over a line. */
const createBraceCounter = () => {
	let depth = 0;
	return {
		/** Returns the place behind the brace that closes the first one, or -1. */
		endOf: (line: string): number => {
			let isInString = false;
			for (let at = 0; at < line.length; at += 1) {
				const character = line.charAt(at);
				if (character === '"') {
					isInString = !isInString;
				} else if (isInString) {
					at += character === '\\' ? 1 : 0;
				} else if (character === '{' || character === '[') {
					depth += 1;
				} else if (character === '}' || character === ']') {
					depth -= 1;
					if (depth <= 0) {
						return at + 1;
					}
				}
			}

			return -1;
		},
	};
};
