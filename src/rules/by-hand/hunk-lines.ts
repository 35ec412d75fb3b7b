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
	/** What a person wrote in the place of hunks, by the blob that holds it. */
	readonly edited: ReadonlyMap<string, readonly string[]>;
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

/** What a line of the printed form tells; the rest of the line follows a blank. */
type Word =
	| 'step'
	| 'remark'
	| 'whole'
	| 'hunk'
	| 'section'
	| 'before'
	| 'left'
	| 'base'
	| 'right'
	| 'after'
	| 'open'
	| 'edited'
	| 'wrote'
	| 'work'
	| 'file'
	| 'line';

const line = (word: Word, text = ''): string => `${word} ${text.replaceAll('\n', ' ')}`;

const lines = (word: Word, texts: readonly string[]): readonly string[] =>
	texts.map(text => line(word, text));

/** Takes a printed line apart into its word and the rest. */
const readLine = (line: string): readonly [word: string, text: string] => {
	const blank = line.indexOf(' ');
	return [line.slice(0, blank), line.slice(blank + 1)];
};

/** Prints a file line by line, so that it can be sent in pages, each line with a word that says what it is. */
export const printHunks = ({steps, remarks, whole, hunks, edited}: ShownFile): string =>
	[
		...steps.map(step => line('step', JSON.stringify(step))),
		...lines('remark', remarks),
		...(whole ? [line('whole')] : []),
		...[...edited].flatMap(([content, texts]) => [
			line('edited', content),
			...lines('wrote', texts),
		]),
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
export const readHunks = (lines: readonly string[]): ShownFile => {
	const steps: Step[] = [];
	const remarks: string[] = [];
	const hunks: Growing[] = [];
	const edited = new Map<string, string[]>();
	let whole = false;
	let written: string[] = [];
	for (const printed of lines) {
		const [word, text] = readLine(printed);
		const hunk = hunks.at(-1);
		switch (word) {
			case 'step':
				steps.push(stepSchema.parse(JSON.parse(text)));
				break;
			case 'remark':
				remarks.push(text);
				break;
			case 'whole':
				whole = true;
				break;
			case 'edited':
				written = [];
				edited.set(text, written);
				break;
			case 'wrote':
				written.push(text);
				break;
			case 'hunk':
				hunks.push(emptyHunk(lineIn(text)));
				break;
			case 'section':
				if (hunk !== undefined) {
					hunk.section = text;
				}

				break;
			case 'before':
			case 'left':
			case 'base':
			case 'right':
			case 'after':
				hunk?.[word].push(text);
				break;
			case 'open':
				hunk?.open.push(...(['left', 'base', 'right'] as const).filter(side => side === text));
		}
	}

	return {steps, remarks, whole, hunks, edited};
};

const lineIn = (text: string): number => {
	if (!/^\d+$/.test(text)) {
		throw new Error(`"${text}" is not the line of a hunk.`);
	}

	return Number(text);
};

type Growing = {
	-readonly [Key in keyof ShownHunk]: ShownHunk[Key] extends readonly (infer One)[]
		? One[]
		: ShownHunk[Key];
};

const emptyHunk = (line: number): Growing => ({
	line,
	before: [],
	left: [],
	base: [],
	right: [],
	after: [],
	open: [],
});

/** Reads what `printWork` printed, or the beginning of it; words that it doesn't know are passed over. */
export const readWork = (lines: readonly string[]): ShownWork => {
	const files: {path: string; whole?: string; hunks: GrowingPart[]}[] = [];
	let work = '';
	for (const printed of lines) {
		const [word, text] = readLine(printed);
		const file = files.at(-1);
		const hunk = file?.hunks.at(-1);
		switch (word) {
			case 'work':
				work = text;
				break;
			case 'file':
				files.push({path: text, hunks: []});
				break;
			case 'whole':
				if (file !== undefined) {
					file.whole = text;
				}

				break;
			case 'hunk':
				file?.hunks.push({line: Number(text), section: '', lines: []});
				break;
			case 'section':
				if (hunk !== undefined) {
					hunk.section = text;
				}

				break;
			case 'line':
				hunk?.lines.push(text);
		}
	}

	return {work, files};
};

type GrowingPart = Pick<ShownPart, 'line'> & {section: string; readonly lines: string[]};
