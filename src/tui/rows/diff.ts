import {
	diffArrays,
	diffWordsWithSpace,
	parsePatch,
	type StructuredPatch,
	structuredPatch,
} from 'diff';

/** A part of a line, and whether it is what the change changed. */
export type Word = {readonly text: string; readonly changed: boolean};

export type DiffLine = {
	readonly kind: 'location' | 'same' | 'added' | 'removed' | 'remark';
	readonly words: readonly Word[];
	/** Line number: in the old file for a removed line, otherwise in the new one. */
	readonly number?: number;
	/** Line number in the old file of a line that is the same in both. */
	readonly before?: number;
	/** Of a removed and an added line that are one changed line: a number that both have. */
	readonly match?: number;
};

/** A file of a diff. */
export type DiffFile = {
	readonly path: string;
	/** What there is to say besides its lines: that it is new, gone, renamed, not text. */
	readonly remark: string | undefined;
	readonly added: number;
	readonly removed: number;
	readonly lines: readonly DiffLine[];
};

/** Reads a unified diff as git prints it. Throws when it is none, or one that was cut; see `endedEarly`. */
export const readDiff = (text: string): readonly DiffFile[] =>
	text.trim() === '' ? [] : parsePatch(text).map(fileOf);

/**
Returns the lines of a diff that was cut, as a diff that ends where they do.

The head of a hunk tells how many lines follow it. Lines of a hunk begin with a sign, so nothing in a file can look like that head.
*/
export const endedEarly = (lines: readonly string[]): readonly string[] => {
	const at = lines.findLastIndex(line => hunkHead.test(line));
	const [, from, to] = hunkHead.exec(lines[at] ?? '') ?? [];
	if (from === undefined || to === undefined) {
		return lines;
	}

	const rest = lines.slice(at + 1);
	const end = rest.findIndex(line => !/^[ +\-\\]/.test(line));
	const hunk = end === -1 ? rest : rest.slice(0, end);
	const count = (other: string) => hunk.filter(line => ![other, '\\'].includes(line.charAt(0)));
	return [
		...lines.slice(0, at),
		`@@ -${from},${count('+').length} +${to},${count('-').length} @@`,
		...rest,
	];
};

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Texts that differ in more lines are not compared line by line: that takes long, and tells little. */
const maximumEdit = 40;

/** Returns what a change to a file says, from its text before and after; an empty text stands for no file. */
export const diffOf = (path: string, before: string, after: string): DiffFile => {
	const names = [`a/${path}`, `b/${path}`] as const;
	const patch = structuredPatch(...names, before, after, '', '', {
		context: 2,
		maxEditLength: maximumEdit,
	});
	const remark = before === '' ? 'new file' : after === '' ? 'deleted' : undefined;
	return {...(patch === undefined ? replacement(path, before, after) : fileOf(patch)), remark};
};

const replacement = (path: string, before: string, after: string): DiffFile => {
	const removed = linesIn(before).map(text => line('removed', text));
	const added = linesIn(after).map(text => line('added', text));
	return {
		path,
		remark: undefined,
		removed: removed.length,
		added: added.length,
		lines: [line('location', 'line 1'), ...removed, ...added],
	};
};

const linesIn = (text: string): readonly string[] =>
	text === '' ? [] : text.replace(/\n$/, '').split('\n');

const fileOf = (patch: StructuredPatch): DiffFile => {
	const lines = patch.hunks.flatMap(({lines, oldStart, newStart}) => [
		line('location', `line ${newStart}${oldStart === newStart ? '' : ` (was ${oldStart})`}`),
		...numbered(hunkLines(lines), {before: oldStart, after: newStart}),
	]);
	return {
		path: nameOf(patch.newFileName) ?? nameOf(patch.oldFileName) ?? '',
		remark: remarkOf(patch),
		added: lines.filter(({kind}) => kind === 'added').length,
		removed: lines.filter(({kind}) => kind === 'removed').length,
		lines,
	};
};

const numbered = (
	lines: readonly DiffLine[],
	from: {readonly before: number; readonly after: number},
): readonly DiffLine[] => {
	let {before, after} = from;
	return lines.map(one => {
		if (one.kind === 'remark' || one.kind === 'location') {
			return one;
		}

		const number = one.kind === 'removed' ? before : after;
		before += one.kind === 'added' ? 0 : 1;
		after += one.kind === 'removed' ? 0 : 1;
		return one.kind === 'same' ? {...one, number, before: before - 1} : {...one, number};
	});
};

/** Returns a name without the `a/` or `b/` that git puts before it. */
const nameOf = (name: string | undefined): string | undefined =>
	name === undefined || name === '/dev/null' ? undefined : name.slice(2);

const remarkOf = (patch: StructuredPatch): string | undefined => {
	if (patch.isRename) {
		return `renamed from ${nameOf(patch.oldFileName)}`;
	}

	if (patch.isBinary) {
		return 'not text';
	}

	if (patch.oldFileName === '/dev/null' || patch.isCreate) {
		return 'new file';
	}

	if (patch.newFileName === '/dev/null' || patch.isDelete) {
		return 'deleted';
	}

	const {oldMode, newMode} = patch;
	return newMode !== undefined && oldMode !== newMode ? `mode ${oldMode} → ${newMode}` : undefined;
};

const line = (kind: DiffLine['kind'], text: string): DiffLine => ({
	kind,
	words: [{text, changed: false}],
});

const kinds: Readonly<Record<string, DiffLine['kind']>> = {
	' ': 'same',
	'+': 'added',
	'-': 'removed',
	'\\': 'remark',
};

const lineOf = (text: string): DiffLine => line(kinds[text.charAt(0)] ?? 'same', text.slice(1));

/** Returns lines of a hunk, each with its sign, as they are shown. */
export const hunkLines = (lines: readonly string[]): readonly DiffLine[] =>
	withWords(lines.map(lineOf));

/** Returns the lines of a text, and which of them, and which of their words, are other ones than in the text before. */
export const changedLines = (
	before: readonly string[],
	after: readonly string[],
): readonly DiffLine[] => {
	const parts = diffArrays([...before], [...after], {maxEditLength: maximumEdit});
	return parts === undefined
		? after.map(text => line('added', text))
		: withWords(
				parts.flatMap(({added, removed, value}) =>
					value.map(text => line(added ? 'added' : removed ? 'removed' : 'same', text)),
				),
			).filter(({kind}) => kind !== 'removed');
};

/** Lines that were changed, rather than only added or removed, tell which of their words were. */
const withWords = (lines: readonly DiffLine[]): readonly DiffLine[] => {
	const told: DiffLine[] = [];
	for (let index = 0; index < lines.length; ) {
		const removed = runOf(lines, index, 'removed');
		const added = runOf(lines, index + removed.length, 'added');
		if (removed.length === 0 || added.length === 0) {
			const next = lines[index];
			told.push(...(removed.length > 0 ? removed : next === undefined ? [] : [next]));
			index += Math.max(1, removed.length);
			continue;
		}

		told.push(...paired(removed, added));
		index += removed.length + added.length;
	}

	return told;
};

const runOf = (
	lines: readonly DiffLine[],
	from: number,
	kind: DiffLine['kind'],
): readonly DiffLine[] => {
	let end = from;
	while (lines[end]?.kind === kind) {
		end++;
	}

	return lines.slice(from, end);
};

/** Longer lines are compared as wholes: what was generated is not read word by word. */
const maximumLength = 400;

/** Lines that share less than this part of their text are two lines rather than a changed one. */
const minimumShared = 0.4;

/** Each removed line is compared with the first added one, behind those that have a partner, that is like it. */
const paired = (removed: readonly DiffLine[], added: readonly DiffLine[]): readonly DiffLine[] => {
	const [before, after] = [[...removed], [...added]];
	let next = 0;
	for (const [at, old] of removed.entries()) {
		for (let other = next; other < Math.min(added.length, next + maximumLook); other++) {
			const pair = compared(old, added[other]);
			if (pair !== undefined) {
				[before[at], after[other]] = [
					{...pair[0], match: other},
					{...pair[1], match: other},
				];
				next = other + 1;
				break;
			}
		}
	}

	return [...before, ...after];
};

/** Most lines searched for a similar one. */
const maximumLook = 20;

const compared = (old: DiffLine, fresh: DiffLine | undefined): [DiffLine, DiffLine] | undefined => {
	const [before, after] = [lineText(old), fresh === undefined ? '' : lineText(fresh)];
	if (fresh === undefined || before.length > maximumLength || after.length > maximumLength) {
		return undefined;
	}

	const parts = diffWordsWithSpace(before, after);
	const shared = parts
		.filter(({added, removed}) => !added && !removed)
		.reduce((length, {value}) => length + value.trim().length, 0);
	if (shared < minimumShared * Math.max(before.trim().length, after.trim().length)) {
		return undefined;
	}

	const wordsOf = (other: 'added' | 'removed'): readonly Word[] =>
		parts
			.filter(part => !part[other])
			.map(({value, added, removed}) => ({text: value, changed: added || removed}));
	return [
		{...old, words: wordsOf('added')},
		{...fresh, words: wordsOf('removed')},
	];
};

/** Returns the text of a line without its sign. */
export const lineText = ({words}: DiffLine): string => words.map(({text}) => text).join('');
