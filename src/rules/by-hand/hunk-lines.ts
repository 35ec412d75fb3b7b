import {defined} from '../../lib/values.ts';
import {type Step, stepSchema} from './steps.ts';

/** A hunk as people are shown it: lines without their ends, as far as they are text. */
export type ShownHunk = {
	/** Line at which it begins, counted from 1, where hunks without a pick count as their left side. */
	readonly line: number;
	/** The function or heading that it stands in. */
	readonly section?: string;
	readonly before: readonly string[];
	readonly left: readonly string[];
	readonly base: readonly string[];
	readonly right: readonly string[];
	readonly after: readonly string[];
	/** Which of them end without a line end, at the end of their file. */
	readonly open: readonly ('left' | 'base' | 'right')[];
};

/** A file that is resolved by hand, as it stands. */
export type ShownFile = {
	readonly steps: readonly Step[];
	/** Why there are no hunks, or what else has to be known of the file. */
	readonly remarks: readonly string[];
	/** Whether there is nothing but whole sides to take. */
	readonly whole: boolean;
	readonly hunks: readonly ShownHunk[];
};

/** A part of a changed text that can be taken without the others. */
export type ShownPart = {
	/** Where it stands in the new text, counted from 1. */
	readonly line: number;
	/** The function or heading that it stands in. */
	readonly section: string;
	/** As in a unified diff: a sign and the text of the line. */
	readonly lines: readonly string[];
};

/** A changed file of a work, as a person picks from it. */
export type ShownChange = {
	readonly path: string;
	/** Why it can only be taken as a whole; absent where each of its hunks can be taken alone. */
	readonly whole?: string;
	readonly hunks: readonly ShownPart[];
};

/** An agent's work, as a person picks from it. */
export type ShownWork = {
	/** The commit that holds it. */
	readonly work: string;
	readonly files: readonly ShownChange[];
};

const line = (word: string, text = ''): string => `${word} ${text.replaceAll('\n', ' ')}`;

const lines = (word: string, texts: readonly string[]): readonly string[] =>
	texts.map(text => line(word, text));

/** Prints a file line by line, so that it can be sent in pages, each line with a word that says what it is. */
export const printHunks = ({steps, remarks, whole, hunks}: ShownFile): string =>
	[
		...steps.map(step => line('step', JSON.stringify(step))),
		...lines('remark', remarks),
		...(whole ? [line('whole')] : []),
		...hunks.flatMap(hunk => [
			line('hunk', `${hunk.line}`),
			...(hunk.section === undefined ? [] : [line('section', hunk.section)]),
			...sides.flatMap(side => lines(side, hunk[side])),
			...lines('open', hunk.open),
		]),
	].join('\n');

/** Prints a work in the same way. */
export const printWork = ({work, files}: ShownWork): string =>
	[
		line('work', work),
		...files.flatMap(({path, whole, hunks}) => [
			line('file', path),
			...(whole === undefined ? [] : [line('whole', whole)]),
			...hunks.flatMap(hunk => [
				line('hunk', `${hunk.line}`),
				line('section', hunk.section),
				...lines('line', hunk.lines),
			]),
		]),
	].join('\n');

const sides = ['before', 'left', 'base', 'right', 'after'] as const;

/** Reads what `printHunks` printed; words that it doesn't know are passed over. Throws when a step is none, or the line of a hunk. */
export const readHunks = (printed: readonly string[]): ShownFile => {
	const [head, ...hunks] = splitAt('hunk', printed);
	return {
		steps: textsOf('step', head).map(text => stepSchema.parse(JSON.parse(text))),
		remarks: textsOf('remark', head),
		whole: textsOf('whole', head).length > 0,
		hunks: hunks.map(readHunk),
	};
};

const readHunk = (printed: readonly string[]): ShownHunk => ({
	line: lineIn(textsOf('hunk', printed)[0] ?? ''),
	...defined({section: textsOf('section', printed)[0]}),
	before: textsOf('before', printed),
	left: textsOf('left', printed),
	base: textsOf('base', printed),
	right: textsOf('right', printed),
	after: textsOf('after', printed),
	open: textsOf('open', printed).flatMap(text =>
		(['left', 'base', 'right'] as const).filter(side => side === text),
	),
});

const lineIn = (text: string): number => {
	if (!/^\d+$/.test(text)) {
		throw new Error(`"${text}" is not the line of a hunk.`);
	}

	return Number(text);
};

/** Reads what `printWork` printed, or the beginning of it; words that it doesn't know are passed over. */
export const readWork = (printed: readonly string[]): ShownWork => {
	const [head, ...files] = splitAt('file', printed);
	return {work: textsOf('work', head)[0] ?? '', files: files.map(readChange)};
};

const readChange = (printed: readonly string[]): ShownChange => {
	const [head, ...hunks] = splitAt('hunk', printed);
	return {
		path: textsOf('file', head)[0] ?? '',
		...defined({whole: textsOf('whole', head)[0]}),
		hunks: hunks.map(hunk => ({
			line: Number(textsOf('hunk', hunk)[0]),
			section: textsOf('section', hunk)[0] ?? '',
			lines: textsOf('line', hunk),
		})),
	};
};

/** Splits printed lines before each one of a word; first comes what stands before all of these. */
const splitAt = (
	word: string,
	printed: readonly string[],
): readonly [head: readonly string[], ...rest: (readonly string[])[]] => {
	const starts = printed.flatMap((text, at) => (text.startsWith(`${word} `) ? [at] : []));
	return [
		printed.slice(0, starts[0]),
		...starts.map((start, number) => printed.slice(start, starts[number + 1])),
	];
};

/** Returns what stands behind a word, of each line that has it. */
const textsOf = (word: string, printed: readonly string[]): readonly string[] =>
	printed.filter(text => text.startsWith(`${word} `)).map(text => text.slice(word.length + 1));
