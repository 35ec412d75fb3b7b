import type {DiffParts, PlacedLine} from '../rows/diff-layout.ts';
import {countLines, indexOfLine, lineAtIndex, linesFrom} from '../rows/diff-rows.ts';
import {type Draft, draftOf} from './draft.ts';
import type {Range, View} from './view.ts';

/** A diff on the screen: its lines, and its first row in the body. */
type DiffHere = DiffParts & {readonly resource: string; readonly from: number};

/** Returns the selected lines, all of one file; none if line mode is off, or the diff has changed. */
export const chosenLines = (
	{dialog}: Pick<View, 'dialog'>,
	diff: DiffHere | undefined,
): readonly PlacedLine[] => {
	if (
		(dialog.kind !== 'lines' && dialog.kind !== 'comment') ||
		diff?.resource !== dialog.resource
	) {
		return [];
	}

	const {at, from = at} = dialog;
	const {lines, first} = lineAtIndex(diff, at);
	return lines.slice(
		Math.max(0, Math.min(at, from) - first),
		Math.max(0, Math.max(at, from) - first + 1),
	);
};

/** Returns the index of the first changed line at or below the top of the window, or otherwise of the last line. */
export const lineInSight = ({
	diff,
	offset,
}: {
	readonly diff?: DiffHere | undefined;
	readonly offset: number;
}): number | undefined => {
	const count = diff === undefined ? 0 : countLines(diff);
	if (diff === undefined || count === 0) {
		return undefined;
	}

	for (const placed of linesFrom(diff, offset - diff.from)) {
		if (placed.line.kind !== 'same') {
			return indexOfLine(diff, placed);
		}
	}

	return count - 1;
};

/** Returns the line number in the current file that corresponds to a line of the diff. */
export const numberNow = (lines: readonly PlacedLine[], at: number): number => {
	const isThere = (one: PlacedLine) => one.line.kind !== 'removed';
	return (lines.slice(at).find(isThere) ?? lines.slice(0, at).findLast(isThere))?.number ?? 1;
};

/** Returns the name of lines for the agent: by the new file, or by the old one for removed lines. */
export const namedLines = (lines: readonly PlacedLine[]): string => {
	const left = lines.filter(({line}) => line.kind !== 'removed');
	const [first, ...others] = left.length > 0 ? left : lines;
	if (first === undefined) {
		return '';
	}

	const last = others.at(-1);
	const range = last === undefined ? `${first.number}` : `${first.number}–${last.number}`;
	return `${first.path}:${range}${left.length > 0 ? '' : beforeIt}`;
};

const beforeIt = ' (before the change)';

/** Matches the first line of a comment in a draft. */
const comment = /^(.+):(\d+)(?:–(\d+))?( \(before the change\))?: /;

type Commented = {readonly path: string; readonly range: Range; readonly isGone: boolean};

/** Returns the lines that a draft comments on. Comments are stored only in the text for the agent. */
export const commentsIn = (draft: Draft | undefined): readonly Commented[] =>
	(draft?.text ?? '').split('\n').flatMap(line => {
		const [, path = '', from, to = from, gone] = comment.exec(line) ?? [];
		return from === undefined
			? []
			: [{path, range: [Number(from), Number(to)] as const, isGone: gone !== undefined}];
	});

export const withComment = (
	draft: Draft | undefined,
	lines: readonly PlacedLine[],
	words: string,
): Draft => {
	const place = lines.length === 0 ? '' : `${namedLines(lines)}: `;
	return draftOf([...textsIn(draft), `${place}${words.trim()}`].join('\n'));
};

const textsIn = (draft: Draft | undefined): readonly string[] =>
	draft === undefined || draft.text.trim() === '' ? [] : [draft.text.trimEnd()];

/** Returns the key of the draft for the agent whose diff is on the screen: with an item's decision, or as a message. */
export const letterOf = ({place}: Pick<View, 'place'>): string =>
	place.at === 'item' ? place.item : place.at === 'agent' ? place.agent : '';

/** Returns whether a line of a diff was commented on. */
export const isCommented = (placed: PlacedLine, comments: readonly Commented[]): boolean =>
	comments.some(
		({path, range: [from, to], isGone}) =>
			path === placed.path &&
			isGone === (placed.line.kind === 'removed') &&
			from <= placed.number &&
			placed.number <= to,
	);
