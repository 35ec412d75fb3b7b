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
	| 'wrote';

/** Prints a file line by line, so that it can be sent in pages, each line with a word that says what it is. */
export const printHunks = ({steps, remarks, whole, hunks, edited}: ShownFile): string => {
	const line = (word: Word, text = ''): string => `${word} ${text.replaceAll('\n', ' ')}`;
	const lines = (word: Word, texts: readonly string[]) => texts.map(text => line(word, text));
	return [
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
};

const sides = ['before', 'left', 'base', 'right', 'after'] as const;

/** Reads what `printHunks` printed; words that it doesn't know are passed over. Throws when a step is none, or the line of a hunk. */
export const readHunks = (lines: readonly string[]): ShownFile => {
	const steps: Step[] = [];
	const remarks: string[] = [];
	const hunks: Growing[] = [];
	const edited = new Map<string, string[]>();
	let whole = false;
	let written: string[] = [];
	for (const line of lines) {
		const blank = line.indexOf(' ');
		const [word, text] = [line.slice(0, blank), line.slice(blank + 1)];
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
				hunks[hunks.length - 1] = {...(hunk ?? emptyHunk(0)), section: text};
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
