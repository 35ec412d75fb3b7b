import {
	diffArrays,
	diffWordsWithSpace,
	parsePatch,
	type StructuredPatch,
	structuredPatch,
} from 'diff';
import {oncePer} from '../../lib/values.ts';

/** A part of a line, and whether it is what the change changed. */
export type Word = {readonly text: string; readonly changed: boolean};

export type DiffLine = {
	readonly kind: 'location' | 'same' | 'added' | 'removed' | 'remark';
	/** Its text without its sign. */
	readonly text: string;
	/** Line number: in the old file for a removed line, otherwise in the new one. */
	readonly number?: number;
	/** Line number in the old file of a line that is the same in both. */
	readonly before?: number;
	/** The change that it is a part of, where lines were removed and others added in their place. */
	readonly change?: Change;
};

/** Lines that were removed, and those that were added in their place. */
type Change = {readonly removed: readonly DiffLine[]; readonly added: readonly DiffLine[]};

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
		...inChanges(numbered(lines, {before: oldStart, after: newStart})),
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
	lines: readonly string[],
	from: {readonly before: number; readonly after: number},
): readonly DiffLine[] => {
	let {before, after} = from;
	return lines.map(text => {
		const one = lineOf(text);
		if (one.kind === 'remark') {
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

const line = (kind: DiffLine['kind'], text: string): DiffLine => ({kind, text});

const kinds: Readonly<Record<string, DiffLine['kind']>> = {
	' ': 'same',
	'+': 'added',
	'-': 'removed',
	'\\': 'remark',
};

const lineOf = (text: string): DiffLine => line(kinds[text.charAt(0)] ?? 'same', text.slice(1));

/** Returns lines of a hunk, each with its sign, as they are shown. */
export const hunkLines = (lines: readonly string[]): readonly DiffLine[] =>
	inChanges(lines.map(lineOf));

/** Returns the lines of a text, and which of them, and which of their words, are other ones than in the text before. */
export const changedLines = (
	before: readonly string[],
	after: readonly string[],
): readonly DiffLine[] => {
	const parts = diffArrays([...before], [...after], {maxEditLength: maximumEdit});
	return parts === undefined
		? after.map(text => line('added', text))
		: inChanges(
				parts.flatMap(({added, removed, value}) =>
					value.map(text => line(added ? 'added' : removed ? 'removed' : 'same', text)),
				),
			).filter(({kind}) => kind !== 'removed');
};

/** Lines that were removed and added in one place know of each other. */
const inChanges = (lines: readonly DiffLine[]): readonly DiffLine[] => {
	const told: DiffLine[] = [];
	for (let index = 0; index < lines.length; ) {
		const middle = endOf(lines, index, 'removed');
		const end = endOf(lines, middle, 'added');
		if (index < middle && middle < end) {
			const [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
			const change = {removed, added};
			removed.push(...lines.slice(index, middle).map(line => ({...line, change})));
			added.push(...lines.slice(middle, end).map(line => ({...line, change})));
			told.push(...removed, ...added);
		} else {
			told.push(...lines.slice(index, Math.max(end, index + 1)));
		}

		index = Math.max(end, index + 1);
	}

	return told;
};

const endOf = (lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number => {
	let end = from;
	while (lines[end]?.kind === kind) {
		end++;
	}

	return end;
};

/** Longer lines are compared as wholes: what was generated is not read word by word. */
const maximumLength = 400;

/** Lines that share less than this part of their text are two lines rather than a changed one. */
const minimumShared = 0.4;

/** Returns the line that a removed or added one was changed to or from; none where it is a line of its own. */
export const otherOf = (line: DiffLine): DiffLine | undefined =>
	line.change && pairsIn(line.change).get(line);

/** Each removed line is compared with the first added one, behind those that have a partner, that is like it. */
const pairsIn = oncePer(({removed, added}: Change): ReadonlyMap<DiffLine, DiffLine> => {
	const pairs = new Map<DiffLine, DiffLine>();
	const look = Math.max(1, Math.min(maximumLook, Math.floor(mostCompared / removed.length)));
	let next = 0;
	for (const old of removed) {
		const at = added.slice(next, next + look).findIndex(fresh => isLike(old, fresh));
		const fresh = added[next + at];
		if (at !== -1 && fresh !== undefined) {
			pairs.set(old, fresh).set(fresh, old);
			next += at + 1;
		}
	}

	return pairs;
});

/** Most lines searched for a similar one. */
const maximumLook = 20;

/** Most pairs of lines that are compared in one change: a frame waits for it. */
const mostCompared = 10_000;

/** Returns whether two lines are one that was changed: what they begin and end with alike says so of most, else their words do. */
const isLike = (old: DiffLine, fresh: DiffLine): boolean => {
	if (old.text.length > maximumLength || fresh.text.length > maximumLength) {
		return false;
	}

	const [before, after] = [old.text.trim(), fresh.text.trim()];
	const enough = minimumShared * Math.max(before.length, after.length);
	const most = Math.min(before.length, after.length);
	let [start, end] = [0, 0];
	while (start < most && before[start] === after[start]) {
		start++;
	}

	while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) {
		end++;
	}

	return most >= enough && (start + end >= enough || sharedLength(old, fresh) >= enough);
};

/** Returns how much of two lines is words that both have, in whatever order. */
const sharedLength = (old: DiffLine, fresh: DiffLine): number => {
	const counts = new Map(countsOf(old));
	return tokensOf(fresh).reduce((sum, token) => {
		const count = counts.get(token) ?? 0;
		counts.set(token, count - 1);
		return count > 0 ? sum + token.length : sum;
	}, 0);
};

const tokensOf = oncePer(
	({text}: DiffLine): readonly string[] => text.match(/[\p{L}\p{N}_]+|\S/gu) ?? [],
);

const countsOf = oncePer((line: DiffLine): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	for (const token of tokensOf(line)) {
		counts.set(token, (counts.get(token) ?? 0) + 1);
	}

	return counts;
});

/** Returns the words of a line: of one that was changed, those that are others by now, or were before, stand out. */
export const wordsOfLine = oncePer((line: DiffLine): readonly Word[] => {
	const {kind, text} = line;
	const other = otherOf(line);
	if (other === undefined) {
		return [{text, changed: false}];
	}

	const [before, after] = kind === 'removed' ? [text, other.text] : [other.text, text];
	const gone = kind === 'removed' ? 'added' : 'removed';
	return diffWordsWithSpace(before, after)
		.filter(part => !part[gone])
		.map(({value, added, removed}) => ({text: value, changed: added || removed}));
});
