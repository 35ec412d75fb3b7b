import {z} from 'zod';
import {stepSchema} from './steps.ts';

const texts = z.array(z.string()).readonly();

const shownHunk = z.object({
	/** Line at which it begins, counted from 1, where hunks without a pick count as their left side. */
	line: z.number(),
	/** The function or heading that it stands in. */
	section: z.string().exactOptional(),
	before: texts,
	left: texts,
	base: texts,
	right: texts,
	after: texts,
	/** Sides whose last line has no line end. */
	open: z.array(z.enum(['left', 'base', 'right'])).readonly(),
});

const shownFile = z.object({
	steps: z.array(stepSchema).readonly(),
	/** Why there are no hunks, or what else has to be known of the file. */
	remarks: texts,
	/** Whether there is nothing but whole sides to take. */
	whole: z.boolean(),
	hunks: z.array(shownHunk.readonly()).readonly(),
});

const shownPart = z.object({
	/** Where it stands in the new text, counted from 1. */
	line: z.number(),
	/** The function or heading that it stands in. */
	section: z.string(),
	/** As in a unified diff: a sign and the text of the line. */
	lines: texts,
});

const shownChange = z.object({
	path: z.string(),
	/** Why it can only be taken as a whole; absent where each of its hunks can be taken alone. */
	whole: z.string().exactOptional(),
	hunks: z.array(shownPart.readonly()).readonly(),
});

const shownWork = z.object({
	/** The commit that holds it. */
	work: z.string(),
	files: z.array(shownChange.readonly()).readonly(),
});

/** A hunk as people are shown it: lines without their ends, as far as they are text. */
export type ShownHunk = Readonly<z.infer<typeof shownHunk>>;

/** A file that is resolved by hand, as it stands. */
export type ShownFile = Readonly<z.infer<typeof shownFile>>;

/** A part of a changed text that can be taken without the others. */
export type ShownPart = Readonly<z.infer<typeof shownPart>>;

/** A changed file of a work, as a person picks from it. */
export type ShownChange = Readonly<z.infer<typeof shownChange>>;

/** An agent's work, as a person picks from it. */
export type ShownWork = Readonly<z.infer<typeof shownWork>>;

/** Prints a file or a work as JSON, each text of a list on a line of its own, so that it can be sent in pages. */
export const printShown = (shown: ShownFile | ShownWork): string =>
	JSON.stringify(shown, undefined, '\t');

/** Reads what `printShown` printed of a file, or the beginning of that: of such a file only a whole side can be taken. Throws when it is none. */
export const readHunks = (printed: readonly string[], total = printed.length): ShownFile => {
	if (printed.length >= total) {
		return parseFile(printed);
	}

	const file = parseFile([...printed.slice(0, printed.indexOf('\t"hunks": [')), '"hunks": []}']);
	const remark = 'Its hunks are too long to be shown here.';
	return {...file, whole: true, remarks: [...file.remarks, remark]};
};

const parseFile = (printed: readonly string[]): ShownFile =>
	shownFile.parse(JSON.parse(printed.join('\n')));

/** Reads what `printShown` printed of a work, or the beginning of that: then `beyond` is the file of which only the first hunks are there. Throws when it is none. */
export const readWork = (
	printed: readonly string[],
	total = printed.length,
): {readonly work: ShownWork; readonly beyond?: string} => {
	if (printed.length >= total) {
		return {work: parseWork(printed)};
	}

	const end = printed.findLastIndex(line => endOfPart.test(line));
	if (end === -1) {
		return {work: {work: '', files: []}};
	}

	const isFile = printed[end]?.startsWith('\t\t}');
	const work = parseWork([...printed.slice(0, end), isFile ? '}]}' : '}]}]}']);
	const last = work.files.at(-1);
	if (isFile || last === undefined) {
		return {work};
	}

	return last.whole === undefined
		? {work, beyond: last.path}
		: {work: {...work, files: work.files.slice(0, -1)}};
};

/** The end of a file, or, further in, of a hunk; texts begin with a quote. */
const endOfPart = /^\t\t(?:\t\t)?\},?$/;

const parseWork = (printed: readonly string[]): ShownWork =>
	shownWork.parse(JSON.parse(printed.join('\n')));
