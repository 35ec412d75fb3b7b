import {type Row, type Rows, type Span, span, type Tone, textOfRow, textsOf} from './row.ts';

/** Returns a pattern for literal words; without a capital it ignores case. */
const patternOf = (words: string): RegExp =>
	new RegExp(literal(words), /\p{Lu}/u.test(words) ? 'g' : 'gi');

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

type Found = {readonly words: string; readonly at: readonly number[]};

/** Caches the matches, which each frame and each key need several times. */
const known = new WeakMap<Rows, Found>();

/** Returns the indexes of the rows with these words. */
export const foundIn = (rows: Rows, words: string): readonly number[] => {
	const before = known.get(rows);
	if (before?.words === words) {
		return before.at;
	}

	const pattern = patternOf(words);
	const texts = words === '' ? [] : textsOf(rows);
	// Who writes one more letter finds rows among those that were found.
	const isLonger = before !== undefined && before.words !== '' && words.startsWith(before.words);
	const among = isLonger ? before.at : texts.keys();
	const at = [...among].filter(index => (texts[index] ?? '').search(pattern) >= 0);
	known.set(rows, {words, at});
	return at;
};

/** Returns whether a text contains each of these words, in any place and case. */
export const holdsAll = (text: string, words: string): boolean =>
	words
		.toLowerCase()
		.split(/\s+/)
		.filter(word => word !== '')
		.every(word => text.toLowerCase().includes(word));

/** Returns whether a text contains these characters in order, in one pass: agents write titles of any length. */
export const holdsSpread = (text: string, characters: string): boolean => {
	let from = 0;
	return [...characters].every(character => {
		const at = text.indexOf(character, from);
		from = at + character.length;
		return at >= 0;
	});
};

/** Returns a row with these words highlighted, also across spans. */
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
