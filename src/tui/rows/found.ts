import {type Row, type Rows, type Span, span, type Tone, textOfRow, textsOf} from './row.ts';

/** Returns a pattern for words as they are written; where none of them has a capital, either case is found. */
const patternOf = (words: string): RegExp =>
	new RegExp(literal(words), /\p{Lu}/u.test(words) ? 'g' : 'gi');

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

type Found = {readonly words: string; readonly at: readonly number[]};

/** A frame asks several times, and so does each key. */
const known = new WeakMap<Rows, Found>();

/** Returns which rows hold these words, by their places. */
export const foundIn = (rows: Rows, words: string): readonly number[] => {
	const before = known.get(rows);
	if (before?.words === words) {
		return before.at;
	}

	const pattern = patternOf(words);
	const at =
		words === ''
			? []
			: textsOf(rows).flatMap((text, index) => (text.search(pattern) < 0 ? [] : [index]));
	known.set(rows, {words, at});
	return at;
};

/** Returns whether a text holds each of these words, wherever and in either case. */
export const holdsAll = (text: string, words: string): boolean =>
	words
		.toLowerCase()
		.split(/\s+/)
		.filter(word => word !== '')
		.every(word => text.toLowerCase().includes(word));

/** Returns whether a text holds these characters in their order, in one pass: agents write titles of any length. */
export const holdsSpread = (text: string, characters: string): boolean => {
	let from = 0;
	return [...characters].every(character => {
		const at = text.indexOf(character, from);
		from = at + character.length;
		return at >= 0;
	});
};

/** Returns a row with these words in it standing out, also where one goes on in the next span. */
export const marked = (row: Row, words: string, tone: Tone): Row => {
	const ranges = [...textOfRow(row).matchAll(patternOf(words))].map(
		({index}) => [index, index + words.length] as const,
	);
	if (ranges.length === 0) {
		return row;
	}

	let start = 0;
	return row.flatMap(({text, tone: before}) => {
		const from = start;
		start += text.length;
		const cuts = ranges.flat().filter(at => at > from && at < start);
		const edges = [from, ...cuts, start];
		return edges.slice(1).map((to, index): Span => {
			const at = edges[index] ?? from;
			const isFound = ranges.some(([first, end]) => first <= at && at < end);
			return span(text.slice(at - from, to - from), isFound ? tone : before);
		});
	});
};
