/**
Removes terminal escape sequences: colours, cursor moves, titles, links.

Takes linear time. Of an unterminated sequence only the introducer is removed. The result is for a parser, not safe to print.
*/
export const stripAnsi = (text: string): string => {
	if (!INTRODUCER.test(text)) {
		return text;
	}

	// In most texts there are only colours. If no introducer is left after removing them, the removal has joined none.
	const uncoloured = text.replaceAll(COLOURS, '');
	return INTRODUCER.test(uncoloured) ? stripSequences(text) : uncoloured;
};

const stripSequences = (text: string): string => {
	const endOfSequence = createSequenceReader(text);
	const kept: string[] = [];
	let from = 0;
	for (let at = next(INTRODUCERS, text, 0); at !== -1; at = next(INTRODUCERS, text, from)) {
		kept.push(text.slice(from, at));
		from = endOfSequence(at);
	}

	kept.push(text.slice(from));
	return kept.join('');
};

/** Escape, and the one-character forms of the sequences that start with it. */
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/;
const COLOURS = /\x1b\[[0-?]*[ -/]*[@-~]/g;
const INTRODUCERS = new RegExp(INTRODUCER, 'g');
const TERMINATORS = /\x07|\x1b\\|\x9c/g;
const STRING_FORMS = new Set(']PX^_\x90\x98\x9d\x9e\x9f');
const CONTROL = /[0-?]*[ -/]*[@-~]/y;
const SHORT = /[ -/]*[0-~]/y;

/** Returns a function that finds a sequence's end, and remembers if no terminator is left, so that it doesn't search again. */
const createSequenceReader = (text: string): ((at: number) => number) => {
	let terminatorsLeft = true;

	const afterString = (from: number): number => {
		const at = terminatorsLeft ? next(TERMINATORS, text, from) : -1;
		terminatorsLeft = at !== -1;
		return at === -1 ? from : at + (text[at] === '\x1b' ? 2 : 1);
	};

	return at => {
		const long = text[at] === '\x1b';
		const after = long ? at + 2 : at + 1;
		const form = long ? text.charAt(at + 1) : text.charAt(at);
		if (form === '[' || form === '\x9b') {
			return endOf(CONTROL, text, after);
		}

		return STRING_FORMS.has(form) ? afterString(after) : endOf(SHORT, text, at + 1);
	};
};

const next = (pattern: RegExp, text: string, from: number): number => {
	pattern.lastIndex = from;
	return pattern.exec(text)?.index ?? -1;
};

const endOf = (pattern: RegExp, text: string, from: number): number => {
	pattern.lastIndex = from;
	return pattern.test(text) ? pattern.lastIndex : from;
};
