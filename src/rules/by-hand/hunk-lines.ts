import {z} from 'zod';
import {stepSchema} from './steps.ts';

const texts = z.array(z.string()).readonly();

const shownHunk = z.object({
	/** Line at which it begins, counted from 1; hunks without a pick count as their left side. */
	line: z.number(),
	/** Enclosing function or heading. */
	section: z.string().exactOptional(),
	before: texts,
	left: texts,
	base: texts,
	right: texts,
	after: texts,
	/** Sides without a newline at the end of their last line. */
	open: z.array(z.enum(['left', 'base', 'right'])).readonly(),
});

const shownFile = z.object({
	steps: z.array(stepSchema).readonly(),
	/** Reasons why there are no hunks, and other notes about the file. */
	remarks: texts,
	/** True if only whole sides can be taken. */
	whole: z.boolean(),
	hunks: z.array(shownHunk.readonly()).readonly(),
});

const shownPart = z.object({
	/** Line at which it begins in the new text, counted from 1. */
	line: z.number(),
	/** Enclosing function or heading. */
	section: z.string(),
	/** Lines as in a unified diff: a sign and the text. */
	lines: texts,
});

const shownChange = z.object({
	path: z.string(),
	/** Reason why it can only be taken as a whole; absent if its hunks can be taken separately. */
	whole: z.string().exactOptional(),
	hunks: z.array(shownPart.readonly()).readonly(),
});

const shownWork = z.object({
	/** Commit of the work. */
	work: z.string(),
	files: z.array(shownChange.readonly()).readonly(),
});

/** A hunk as a screen shows it: lines without their newlines. */
export type ShownHunk = Readonly<z.infer<typeof shownHunk>>;

/** Current state of a file that is resolved by hand. */
export type ShownFile = Readonly<z.infer<typeof shownFile>>;

/** A part of a changed text that can be taken separately. */
export type ShownPart = Readonly<z.infer<typeof shownPart>>;

/** A changed file of a work, with the parts that a person can pick. */
export type ShownChange = Readonly<z.infer<typeof shownChange>>;

/** An agent's work, with the files that a person can pick. */
export type ShownWork = Readonly<z.infer<typeof shownWork>>;

/** Prints a file or a work as JSON with each string of a list on a line of its own, so that it can be sent in pages. */
export const printShown = (shown: ShownFile | ShownWork): string =>
	JSON.stringify(shown, undefined, '\t');

/** Reads a file printed by `printShown`, or only the first lines of it: then only a whole side can be taken. Throws if it isn't one. */
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

/** Reads a work printed by `printShown`, or only the first lines of it: then `beyond` names the file of which only the first hunks are there. Throws if it isn't one. */
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

/** The closing bracket of a file or, indented further, of a hunk; the strings between begin with a quote. */
const endOfPart = /^\t\t(?:\t\t)?\},?$/;

const parseWork = (printed: readonly string[]): ShownWork =>
	shownWork.parse(JSON.parse(printed.join('\n')));
