import type {Evidence} from '../finding.ts';

/** A line that a side added or took out. */
export type ChangedLine = {
	readonly path: string;
	readonly line: number;
	readonly text: string;
	readonly removed: boolean;
};

/** All lines that a side changed. */
export type ChangedLines = readonly ChangedLine[];

/** Where an error stands, and the words that it may have to do with. */
export type Trace = {readonly path: string; readonly line: number; readonly text: string};

type Sides = {
	readonly a: ChangedLines;
	readonly b: ChangedLines;
	at(path: string, line: number): string;
};

/**
Returns a line of each side for an error that only their merge has.

A side that wrote the line on which the error stands shows that. For the other one a checker names no place, so it shows the line that it changed which shares the most words with the error: as a rule the declaration that is used wrongly.
*/
export const evidenceFor = (trace: Trace, sides: Sides): readonly Evidence[] => {
	const wrong = sides.at(trace.path, trace.line).trim();
	const words = wordsOf(trace.text);
	return (['a', 'b'] as const).map(side => {
		const changed = sides[side];
		const own = changed.find(
			({path, text, removed}) => !removed && path === trace.path && text.trim() === wrong,
		);
		const shown = own ?? mostAlike(changed, words);
		return shown === undefined ? {side, path: trace.path} : evidenceOf(side, shown);
	});
};

const evidenceOf = (side: 'a' | 'b', {path, line, text, removed}: ChangedLine): Evidence => ({
	side,
	path,
	line,
	text: text.slice(0, mostCharacters),
	...(removed ? {removed} : {}),
});

const mostCharacters = 500;

const mostAlike = (changed: ChangedLines, words: ReadonlySet<string>): ChangedLine | undefined => {
	const [first, ...others] = changed;
	if (first === undefined) {
		return;
	}

	const shared = ({text}: ChangedLine) => [...wordsOf(text)].filter(word => words.has(word)).length;
	let [best, most] = [first, shared(first)];
	for (const line of others) {
		const count = shared(line);
		if (count > most) {
			[best, most] = [line, count];
		}
	}

	return best;
};

const wordsOf = (text: string): ReadonlySet<string> =>
	new Set((text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter(word => !common.has(word)));

/** Words that lines of most languages share. */
const common = new Set(
	'a as async await but class const def export fn for from func function got if import in is let new not number of or pub return string that the this to type var void with'.split(
		' ',
	),
);
