import {
	diffArrays,
	diffWordsWithSpace,
	parsePatch,
	type StructuredPatch,
	structuredPatch,
} from 'diff';
import {oncePer} from '../../lib/values.ts';

/** A part of a line, and whether the change touches it. */
export type Word = {readonly text: string; readonly changed: boolean};

export type DiffLine = {
	readonly kind: 'location' | 'same' | 'added' | 'removed' | 'remark';
	/** Text without its sign. */
	readonly text: string;
	/** Line number: in the old file for a removed line, otherwise in the new one. */
	readonly number?: number;
	/** Line number in the old file of a line that is the same in both. */
	readonly before?: number;
	/** Change that it is part of, if added lines replace removed ones. */
	readonly change?: Change;
};

/** Removed lines, and the added lines in their place. */
type Change = {readonly removed: readonly DiffLine[]; readonly added: readonly DiffLine[]};

export type DiffFile = {
	readonly path: string;
	/** Remark besides its lines: new, deleted, renamed, binary. */
	readonly remark: string | undefined;
	readonly added: number;
	readonly removed: number;
	readonly lines: readonly DiffLine[];
};

/** Parses a unified diff of git. Throws if it isn't one, or was cut; see `endedEarly`. */
export const readDiff = (text: string): readonly DiffFile[] =>
	text.trim() === '' ? [] : parsePatch(text).map(fileOf);

/**
Returns the lines of a cut diff as a valid diff that ends with them.

A hunk header has the number of its lines. Lines of a hunk begin with a sign, so no line of a file looks like a header.
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

/** Maximum number of differing lines in a comparison by line: above it that takes long, and shows little. */
const maximumEdit = 40;

/** Returns the diff of a file's text before and after; an empty text means no file. */
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

/** Returns a name without git's prefix `a/` or `b/`. */
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

/** Parses lines of a hunk, each of which begins with its sign, into the form that is shown. */
export const hunkLines = (lines: readonly string[]): readonly DiffLine[] =>
	inChanges(lines.map(lineOf));

/** Returns the lines of a text, with marks for the lines and words that differ from the text before. */
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

/** Links removed and added lines of one place. */
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

/** Maximum length of lines that are compared by word: longer ones are generated, and not read word by word. */
const maximumLength = 400;

/** Minimum shared part of two lines that count as one changed line. */
const minimumShared = 0.4;

/** Returns the line that a removed or added one was changed to or from; none if it has no partner. */
export const otherOf = (line: DiffLine): DiffLine | undefined =>
	line.change && pairsIn(line.change).get(line);

/** Pairs each removed line with the first similar added line after those that have a partner. */
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

/** Maximum number of lines searched for a similar one. */
const maximumLook = 20;

/** Maximum number of compared pairs of lines in one change, since a frame waits for it. */
const mostCompared = 10_000;

/** Returns whether two lines are one changed line: by their common beginning and end, or otherwise by their words. */
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

/** Returns the length of the words that two lines share, in any order. */
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

/** Returns the words of a line, with marks for those that differ from the line's partner. */
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
