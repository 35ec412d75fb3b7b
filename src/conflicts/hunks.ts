import {diffArrays} from 'diff';
import type {Store} from '../git/store/store.ts';
import {readSmallBlobs} from '../git/tree/blobs.ts';
import {type Entry, submoduleMode} from '../git/tree/entry.ts';

/** Lines of the old text that were replaced by lines of the new one; counted from 1. */
export type Hunk = {
	/** First replaced line or, if none was replaced, the line before which the new ones were inserted. */
	readonly oldLine: number;
	readonly oldCount: number;
	readonly newLine: number;
	readonly newCount: number;
};

/** Returns the changes between two texts, in the order of lines. */
export const hunksOf = (before: readonly string[], after: readonly string[]): readonly Hunk[] => {
	const parts = diffArrays([...before], [...after], {maxEditLength});
	return parts === undefined ? [outerHunk(before, after)] : asHunks(parts);
};

/** Maximum number of differing lines; above it a comparison is slow and useless. */
const maxEditLength = 2000;

type Part = {readonly added: boolean; readonly removed: boolean; readonly count: number};

const asHunks = (parts: readonly Part[]): readonly Hunk[] => {
	const hunks: Hunk[] = [];
	let [oldLine, newLine] = [1, 1];
	let open: Hunk | undefined;
	for (const {added, removed, count} of parts) {
		if (!added && !removed) {
			hunks.push(...(open === undefined ? [] : [open]));
			open = undefined;
			oldLine += count;
			newLine += count;
			continue;
		}

		open ??= {oldLine, oldCount: 0, newLine, newCount: 0};
		open = removed
			? {...open, oldCount: open.oldCount + count}
			: {...open, newCount: open.newCount + count};
		oldLine += removed ? count : 0;
		newLine += added ? count : 0;
	}

	return open === undefined ? hunks : [...hunks, open];
};

/** Returns one hunk from the first to the last differing line. */
const outerHunk = (before: readonly string[], after: readonly string[]): Hunk => {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) {
		start += 1;
	}

	let end = 0;
	while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) {
		end += 1;
	}

	return {
		oldLine: start + 1,
		oldCount: before.length - start - end,
		newLine: start + 1,
		newCount: after.length - start - end,
	};
};

/**
Returns the function, class or heading of a line, as written; `undefined` if there is none.

It goes by indentation and knows no language: the section is the nearest line above that is less indented and neither closes a block nor branches. A line that begins a section is its own section.
*/
export const sectionAt = (
	lines: readonly string[],
	line: number,
	path: string,
): string | undefined => {
	const above = lines.slice(0, line).toReversed();
	const found = isProse(path) ? above.find(text => heading.test(text)) : enclosing(above);
	return found === undefined ? undefined : trimmed(found);
};

const isProse = (path: string): boolean => /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);

const heading = /^(?:#{1,6}|={1,6}) \S/;

/** Returns the enclosing section, from the line itself upwards. */
const enclosing = ([own = '', ...above]: readonly string[]): string | undefined => {
	if (declaration.test(own)) {
		return own;
	}

	let limit = own.trim() === '' ? Number.POSITIVE_INFINITY : indentation(own);
	for (const text of above) {
		if (text.trim() === '' || closing.test(text)) {
			continue;
		}

		if (indentation(text) >= limit) {
			continue;
		}

		limit = indentation(text);
		if (!branching.test(text) && opens.test(text)) {
			return text;
		}

		if (limit === 0) {
			return undefined;
		}
	}

	return undefined;
};

/** Returns the indentation, with a tab as two spaces; only comparisons of it matter. */
export const indentation = (text: string): number =>
	(/^\s*/.exec(text)?.[0] ?? '').replaceAll('\t', '  ').length;

/** Matches keywords that begin a named declaration in the usual languages. */
const declaration =
	/^\s*(?:export |default |public |private |protected |internal |static |abstract |final |async |override |pub(?:\([a-z]+\))? |unsafe )*(?:function\b|class |interface |struct |enum |trait |impl\b|def |fn |func |module |namespace |object |record |type \w+ (?:struct|interface))/;

/** Matches the end of a block, or of a parameter list. */
const closing = /^\s*[)}\]>]|^\s*[{(]\s*$/;

const branching =
	/^\s*(?:\} )?(?:if|else|elif|elsif|for|foreach|while|until|switch|case|default|try|catch|except|finally|rescue|ensure|do|with|match|when|unless|loop|select|begin|return|throw|raise|yield|await)\b/;

/** Matches the beginning of an indented block, and a section of an ini or TOML file. */
const opens = /[{(:[=>]\s*$|^\s*\[.*\]\s*$|[)\w]\s*$/;

const trimmed = (text: string): string =>
	text
		.trim()
		.replace(/\s*(?:[{(:[]|=>)\s*$/, '')
		.slice(0, longest);

const longest = 80;

/** Returns the lines of an entry; `undefined` if it is binary, too large to show, or missing. */
export type Texts = (entry: Entry | undefined) => readonly string[] | undefined;

/** Reads the texts of entries with two processes, for any number of entries. */
export const readTexts = async (
	store: Store,
	entries: Iterable<Entry | undefined>,
): Promise<Texts> => {
	const oids = new Set(
		[...entries].flatMap(entry =>
			entry === undefined || entry.mode === submoduleMode ? [] : [entry.oid],
		),
	);
	const contents = await readSmallBlobs(store, oids, {most: maxBytes});
	const lines = new Map([...contents].map(([oid, content]) => [oid, linesOf(content)]));
	return entry => (entry === undefined ? undefined : lines.get(entry.oid));
};

/** Maximum size of a text: larger ones are not written by hand, and evidence is only shown. */
const maxBytes = 2 * 2 ** 20;

/** Returns the lines of a text; like in git, a NUL byte near the start means that it is binary. */
const linesOf = (content: Buffer): readonly string[] | undefined =>
	content.subarray(0, 8000).includes(0)
		? undefined
		: content.toString('utf8').replace(/\n$/, '').split('\n');

/** Hunks of both sides that git can't merge, since they change the same or adjacent lines. */
export type LineCollision = {readonly a: Hunk; readonly b: Hunk};

/**
Returns the places where the changes of two sides meet, each once, with the first hunk of each side there.

Changes collide as in git: one unchanged line between them is enough to keep them apart. Equal changes are left out.
*/
export const collisionsOf = (
	{lines: aLines, hunks: aHunks}: ChangedText,
	{lines: bLines, hunks: bHunks}: ChangedText,
): readonly LineCollision[] => {
	const collisions: LineCollision[] = [];
	let reached = 0;
	for (const a of aHunks) {
		const b = bHunks.find(hunk => meets(a, hunk));
		if (b === undefined || isSame(a, aLines, b, bLines)) {
			continue;
		}

		if (Math.min(a.oldLine, b.oldLine) > reached || collisions.length === 0) {
			collisions.push({a, b});
		}

		reached = Math.max(reached, endOf(a), endOf(b));
	}

	return collisions;
};

/** One side's text, and its hunks against the base. */
export type ChangedText = {readonly lines: readonly string[]; readonly hunks: readonly Hunk[]};

const endOf = ({oldLine, oldCount}: Hunk): number => oldLine + oldCount;

const meets = (one: Hunk, other: Hunk): boolean =>
	one.oldLine <= endOf(other) && other.oldLine <= endOf(one);

const isSame = (a: Hunk, aLines: readonly string[], b: Hunk, bLines: readonly string[]): boolean =>
	a.oldLine === b.oldLine && a.oldCount === b.oldCount && newText(a, aLines) === newText(b, bLines);

const newText = ({newLine, newCount}: Hunk, lines: readonly string[]): string =>
	lines.slice(newLine - 1, newLine - 1 + newCount).join('\n');
